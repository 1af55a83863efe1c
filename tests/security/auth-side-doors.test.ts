import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { secondFactorState, shownSecondFactor } from '@/lib/account/second-factor'
import { socketAddressHeader } from '@/lib/address/proxies'
import { onBehalfOf } from '@/lib/auth/client-address'
import { readStanding } from '@/lib/auth/session'
import { createGroup, type Group } from '../factories/group'
import { type Client, pointAppAt, startApp, type TestApp } from '../support/app'
import { type AuthFront, type Reply, startAuthFront } from '../support/auth-front'
import { watchRequests } from '../support/network'
import { signedIn } from '../support/sign-in'

let app: TestApp
let front: AuthFront
let group: Group
beforeAll(async () => {
  app = await startApp()
  front = await startAuthFront(app.stack.url)
  pointAppAt(front.url, app.stack.keys)
  group = await createGroup(app.stack, 'Grupo Lateral', [{ name: 'Sol', slug: 'sol' }])
})
beforeEach(() => front.replies.clear())
afterAll(async () => {
  await front?.close()
  await app?.close()
})

it.each<[string, Reply]>([
  ['is at its limits', { status: 429, body: '{"error_code":"over_request_rate_limit","msg":"x"}' }],
  ['fails', { status: 500, body: '{"error_code":"unexpected_failure","msg":"x"}' }],
  ['does not answer', null],
])(
  'a sign-out ends the session also while Auth %s: a copy of its cookies opens nothing',
  async (_, reply) => {
    const client = await signedIn(await group.person('marketing'))
    const copy = app.client()
    for (const [name, value] of client.cookies) copy.cookies.set(name, value)
    expect((await copy.request('GET', '/api/segments')).status).toBe(200)
    front.replies.set('/auth/v1/logout', reply)
    expect((await client.request('POST', '/api/auth/sign-out')).status).toBe(200)
    expect((await copy.request('GET', '/api/segments')).status).toBe(401)
  },
)

/** The session of a page's visitor. The page goes on to use its client outside the work for the request. */
function visited({ cookies }: Client, address: string) {
  const headers = new Headers({ [socketAddressHeader()]: address })
  const getAll = () => [...cookies].map(([name, value]) => ({ name, value }))
  return onBehalfOf({ headers }, () => readStanding({ getAll, setAll: () => {} }))
}

it('a page of the account is shown also while Auth is at its limits', async () => {
  const standing = await visited(await signedIn(await group.person('marketing')), '203.0.113.7')
  if (standing?.missing !== null) throw new Error('nobody is signed in')
  front.replies.set('/auth/v1/factors', { status: 429, body: '{"error_code":"over_request_rate_limit"}' })
  await expect(secondFactorState(standing.session)).rejects.toMatchObject({ code: 'AUTH_BUSY' })
  expect(await shownSecondFactor(standing.session)).toMatchObject({ available: true, enrolled: false })
})

it('a page asks Auth about second factors in the name of its visitor, and not at every view', async () => {
  const client = await signedIn(await group.person('marketing'))
  const standing = await visited(client, '203.0.113.7')
  if (standing?.missing !== null) throw new Error('nobody is signed in')
  const asked: (string | null)[] = []
  const stop = watchRequests(({ url, headers }) => {
    if (url.startsWith(front.url) && url.includes('/challenge')) asked.push(headers.get('sb-forwarded-for'))
  })
  try {
    for (let view = 0; view < 3; view++) await secondFactorState(standing.session)
  } finally {
    stop()
  }
  expect(new Set(asked)).toEqual(new Set(['203.0.113.7']))
  // The embedded stack's Auth has no second factors, and may be given them.
  if (process.env.STACK === 'postgres') expect(asked).toHaveLength(1)
})
