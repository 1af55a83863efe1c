import '../support/late-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'
import { answersOf, callableFunctions, callsOf } from './oracles/functions'
import { type Ask, asksOf, segmentRows } from './oracles/requests'
import {
  type Asker,
  addElsewhere,
  createWorld,
  differenceOf,
  levelGuests,
  type World,
} from './oracles/worlds'

// Two groups alike in everything but rows at a location where the asker does not work: every answer must be the same.

/** Seconds on a free machine; the bound is for one that many share. */
const SLOW = { timeout: 240_000 }

let app: TestApp
let [alike, changed]: World[] = []
const world = (one: World | undefined): World => {
  if (!one) throw new Error('The world is not made yet')
  return one
}

beforeAll(async () => {
  app = await startApp()
  alike = await createWorld(app.stack, 'a')
  changed = await createWorld(app.stack, 'b')
  await addElsewhere(app.stack, changed)
  await levelGuests(app.stack)
  for (const one of [alike, changed])
    await app.stack.sql(
      `insert into public.segments (id, organization_id, name, shared, definition)
       select s.id, $1, s.name, true, s.definition
       from jsonb_to_recordset($2::jsonb) as s (id uuid, name text, definition jsonb)`,
      [one.organization, JSON.stringify(segmentRows(one))],
    )
})
afterAll(() => app?.close())

/** What may differ, by the beginning of the label: why. */
const JUSTIFIED: readonly [label: string, reason: string][] = [
  ['my_session', 'it tells of the session itself: its token, its seconds'],
  ['merge_customers(', 'points are a column of the guest, the group’s; a merge counts them again'],
  ['erase_customer(', 'who is bound erases only guests all of whose records are in their locations'],
  ['DELETE /api/customers/{id}', 'as erase_customer'],
  ['POST /api/customers/{id}/merge', 'as merge_customers: visits, spend and usual location too'],
  ['POST /api/tickets', 'tickets have numbers of the whole group'],
  [
    'POST /api/loyalty/recalculate',
    'a guest’s usual location is a column of the guest; a booking counts it again',
  ],
]
const isJustified = (label: string) => JUSTIFIED.some(([start]) => label.startsWith(start))

/** The calls whose answers differ between the worlds, with both. */
async function differingCalls(who: Asker): Promise<Record<string, [string, string]>> {
  const functions = await callableFunctions(app.stack)
  const [one = [], two = []] = [world(alike), world(changed)].map((w) =>
    functions.flatMap((f) => callsOf(f, w).map((call) => ({ ...call, claims: w.claims[who] }))),
  )
  const answers = await answersOf(app.stack, [...one, ...two])
  return Object.fromEntries(
    one.flatMap(({ label }, n) => {
      const difference = differenceOf(answers[n] ?? '', answers[one.length + n] ?? '')
      return difference && !isJustified(label) ? [[label, difference]] : []
    }),
  )
}

// The embedded stack does not change roles within a statement.
describe.runIf(process.env.STACK === 'postgres')('by the functions of the database', SLOW, () => {
  it.each(['admin', 'sala'] as const)('a bound %s learns nothing of the other location', async (who) => {
    expect(await differingCalls(who)).toEqual({})
  })

  it('who works everywhere sees the difference, so there is one', async () => {
    const names = Object.keys(await differingCalls('boss')).map((label) => label.split('(')[0])
    expect(new Set(names).size).toBeGreaterThan(15)
  })
})

describe('by the API', SLOW, () => {
  it('a campaign is launched for the number that a bound person sees', async () => {
    // Its segment: who has come to the other location. Nobody of those whom they may see.
    const launched = await Promise.all(
      [world(alike), world(changed)].map(async (one) => {
        const boss = await signedIn(one.people.boss)
        const admin = await signedIn(one.people.admin)
        const fields = {
          ...{ name: 'Otoño', segment_id: segmentRows(one)[0]?.id, location_ids: [one.own.location] },
          starts_local: '2190-01-01T12:00',
          messages: [{ step: 1, variant: 'a', channel: 'email', subject: 'Hola', body: 'Hola' }],
        }
        const made = await answer(await admin.request('POST', '/api/campaigns', { body: fields }))
        const path = `/api/campaigns/${made.body.data.id}`
        const asked = { ...fields, id: made.body.data.id, name: undefined }
        const seen = await Promise.all(
          [boss, admin].map(async (client) => {
            const { body } = await answer(
              await client.request('POST', '/api/campaigns/preview', { body: asked }),
            )
            return body.data.matched
          }),
        )
        const { body } = await answer(await admin.request('GET', path))
        const launch = { guests: 0, version: body.data.version }
        const answered = await answer(await admin.request('POST', `${path}/launch`, { body: launch }))
        return { seen, status: answered.status, guests: answered.body.data?.guests }
      }),
    )
    expect(launched).toEqual([
      { seen: [0, 0], status: 200, guests: 0 },
      { seen: [1, 0], status: 200, guests: 0 },
    ])
  })

  it('a bound administrator learns nothing of the other location', async () => {
    await app.stack.sql('update public.integration_configs set is_enabled = false')
    const clients = [await signedIn(world(alike).people.admin), await signedIn(world(changed).people.admin)]
    const [one, two] = [asksOf(world(alike)), asksOf(world(changed))]
    const differing: Record<string, [string, string]> = {}
    for (const [n, ask] of one.entries()) {
      if (n % 25 === 0) await app.stack.sql('truncate public.rate_limits, public.attempt_limits')
      const [left = '', right = ''] = await Promise.all(
        [ask, two[n]].map((wanted, which) => answerTo(clients[which], wanted)),
      )
      const difference = differenceOf(left, right)
      if (difference && !isJustified(ask.label)) differing[ask.label] = difference
    }
    expect(differing).toEqual({})
  })
})

async function answerTo(client: Client | undefined, ask: Ask | undefined): Promise<string> {
  if (!client || !ask) throw new Error('Nothing to ask')
  const { method, path, body } = ask
  const response = await client.request(method, path, body === undefined ? {} : { body })
  return `${response.status} ${await response.text()}`
}
