import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { noQuietHours } from '../factories/messaging'
import { type Client, testClient } from '../support/app'
import { app, bySms, group, guests, sql, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// A large send leaves only when a second person says so: an API token is none.
withDelivery()

const ABOVE = 3
let as: Record<'asker' | 'second' | 'third', Client>
beforeAll(async () => {
  as = {
    asker: await signedIn(await group.person('marketing')),
    second: await signedIn(await group.person('ceo')),
    third: await signedIn(await group.person('admin')),
  }
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments'))
  await sql('update public.organizations set approve_above = $1, campaign_approve_above = $1', [ABOVE])
})

type Name = keyof typeof as
interface Run {
  id: string
  automation_id: string
  status: string
  guests: number
}
const log = async (id: string): Promise<Run[]> =>
  (await answer(await as.third.request('GET', `/api/automations/${id}/runs`))).body.data
const approve = async (run: Run, who: Name) =>
  answer(
    await as[who].request('POST', `/api/automations/${run.automation_id}/runs/${run.id}/approve`, {
      body: { guests: run.guests },
    }),
  )

describe('a program that starts a large send', () => {
  /** A token of `third`, who may make some and approve sends. */
  const program = async () => {
    const body = {
      name: 'Cuadro',
      permissions: ['canAccessClientes', 'canAccessMarketing'],
      expires_in_days: 1,
    }
    const { data } = (await answer(await as.third.request('POST', '/api/tokens', { body }))).body
    const headers = { authorization: `Bearer ${data.token}` }
    return async (method: string, path: string, sent?: object) =>
      answer(await testClient().request(method, path, { headers, body: sent }))
  }
  const own = refusal('OTHER_APPROVER_NEEDED')

  it('is no second person: neither for who made it, nor as an approver', async () => {
    const call = await program()
    await guests(8)
    const id = await bySms()
    await call('POST', `/api/automations/${id}/run`)
    const run = (await log(id))[0] as Run
    expect(run).toMatchObject({ status: 'waiting_approval', guests: 8 })
    expect(await approve(run, 'third')).toEqual(own)
    expect((await approve(run, 'second')).status).toBe(200)

    const other = await bySms({ name: 'Otra' })
    await as.third.request('POST', `/api/automations/${other}/run`)
    const theirs = (await log(other))[0] as Run
    const path = `/api/automations/${other}/runs/${theirs.id}/approve`
    expect(await call('POST', path, { guests: theirs.guests })).toEqual(own)
    expect((await log(other))[0]?.status).toBe('waiting_approval')
    expect((await approve(theirs, 'second')).status).toBe(200)
  })

  it('neither of a campaign', async () => {
    const call = await program()
    await guests(8)
    const segment = await as.asker.request('POST', '/api/segments', {
      body: { name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } },
    })
    const made = await call('POST', '/api/campaigns', {
      ...{ name: 'Otoño', segment_id: (await answer(segment)).body.data.id, control_share: 0 },
      messages: [{ step: 1, channel: 'sms', body: 'Hola' }],
    })
    const path = `/api/campaigns/${made.body.data.id}`
    const seen = { guests: 8, version: 1 }
    expect((await call('POST', `${path}/launch`, seen)).body.data).toMatchObject({
      ...{ status: 'waiting_approval', can_approve: false },
    })
    const shown = async (who: Name) => (await answer(await as[who].request('GET', path))).body.data
    expect(await shown('third')).toMatchObject({ can_approve: false })
    expect(await shown('second')).toMatchObject({ can_approve: true })
    const decide = async (who: Name) =>
      answer(await as[who].request('POST', `${path}/approve`, { body: seen }))
    expect(await decide('third')).toEqual(own)
    expect(await call('POST', `${path}/approve`, seen)).toEqual(own)
    expect((await decide('second')).body.data).toMatchObject({ status: 'scheduled' })
    await waitForDetachedWork()
  })
})
