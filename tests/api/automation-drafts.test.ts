import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { automationResults, automationsOverview } from '@/lib/automations/results'
import { runOutcomes } from '@/lib/automations/runs'
import { createGroup, type Group, type Person, POSTAL_ADDRESS } from '../factories/group'
import { createCustomer, createReservation, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let person: Person
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Borrador', [{ name: 'Norte', slug: 'norte', averageSpend: 30 }])
  person = await group.person('marketing')
  boss = await signedIn(person)
  await noQuietHours(app.stack)
})
beforeEach(() =>
  app.stack.sql(
    emptyTables(
      'automations',
      'automation_runs',
      'messages',
      'customers',
      'reservations',
      'rate_limits',
      'audit_log',
    ),
  ),
)
afterAll(() => app?.close())

const call = async (method: string, path: string, body?: unknown) =>
  answer(await boss.request(method, path, body === undefined ? {} : { body }))
const DRAFT = {
  type: 'vip_reward',
  channel: 'email',
  subject: 'Hola {{ first_name }}',
  body: 'Ven a vernos.',
  criteria: { min_spend: 100 },
}
const preview = (draft: object) => call('POST', '/api/automations/preview', draft)
const make = async (more: object = {}) =>
  (await call('POST', '/api/automations', { ...DRAFT, name: 'VIP', status: 'active', ...more })).body.data
const guest = (row: object) => createCustomer(app.stack, group.id, { total_spend: 100, ...row })
const session = () => ({
  db: person.db,
  user_id: person.id,
  role: 'marketing' as const,
  organization: group.organization,
})

/** As marketing by e-mail ends. */
const signed = (text: string) => `${text}\n\nGrupo Borrador\n${POSTAL_ADDRESS}\n`

describe('a draft', () => {
  it('is previewed as it would be once saved, and nothing is kept of it', async () => {
    await guest({ email: 'ana@example.com', first_name: 'Ana', last_name: 'Ruiz' })
    await guest({ phone: '+34600000001' })
    await guest({ email: 'poco@example.com', total_spend: 1 })
    const drafted = await preview(DRAFT)
    expect(drafted.body.data).toMatchObject({
      matched: 2,
      to_send: 1,
      skipped: { no_address: 1 },
      sample: { customer_name: 'Ana Ruiz', subject: 'Hola Ana', body: signed('Ven a vernos.') },
    })
    expect(await app.stack.sql('select 1 from public.automations')).toEqual([])
    const { id } = await make()
    expect(drafted.body.data.seed).toEqual(expect.any(String))
    expect((await call('GET', `/api/automations/${id}/preview`)).body.data).toEqual({
      ...drafted.body.data,
      seed: null,
    })
  })

  it('has dates day first', async () => {
    await guest({ email: 'ana@example.com', birth_date: '1990-09-05' })
    const { body } = await preview({ ...DRAFT, body: 'Tu cumpleaños es el {{ birthday }}.' })
    expect(body.data.sample.body).toBe(signed('Tu cumpleaños es el 05/09.'))
  })

  it('of a saved one leaves out whom that has written to, and does not change it', async () => {
    await guest({ email: 'ana@example.com' })
    const saved = await make()
    expect((await call('POST', `/api/automations/${saved.id}/run`)).body.sent).toBe(1)
    await guest({ email: 'berta@example.com', total_spend: 60 })
    const wider = { ...DRAFT, criteria: { min_spend: 50 } }
    expect((await preview({ ...wider, id: saved.id })).body.data).toMatchObject({ matched: 1, to_send: 1 })
    // Of a new one Ana is too: only the frequency cap spares her.
    expect((await preview(wider)).body.data).toMatchObject({ matched: 2, skipped: { frequency_cap: 1 } })
    expect((await call('GET', `/api/automations/${saved.id}`)).body.data).toEqual(saved)
  })

  it('may be incomplete, but not malformed: the answer has the field and the line', async () => {
    expect((await preview({ ...DRAFT, subject: null, body: '' })).status).toBe(200)
    const { status, body } = await preview({ ...DRAFT, body: 'Hola\n{{ first_name' })
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^body: line 2: /)])
  })
})

describe('what a list of automations brought', () => {
  it('is that of each by itself, with its last run', async () => {
    const ana = await guest({ email: 'ana@example.com' })
    const one = await make()
    const two = await make({ name: 'Otra', status: 'inactive' })
    await call('POST', `/api/automations/${one.id}/run`)
    await createReservation(app.stack, group.id, {
      location_id: group.locations[0]?.id,
      customer_id: ana,
      reservation_date: '2099-01-01',
      status: 'completed',
    })
    const now = new Date(Date.now() + 60_000)
    const found = await automationsOverview(session(), [one.id, two.id], 90, now)
    for (const { id } of [one, two]) {
      const { from: _, to: __, links: ___, ...alone } = await automationResults(session(), id, 90, now)
      expect(found.get(id)).toMatchObject(alone)
    }
    expect(found.get(one.id)).toMatchObject({
      reservations: 1,
      revenue: 60,
      last_run: { status: 'finished' },
    })
    expect(found.get(two.id)).toMatchObject({ reservations: 0, last_run: null })
  })

  it('is narrowed by type and status', async () => {
    await make()
    await make({ name: 'Cumpleaños', type: 'birthday', criteria: {}, status: 'inactive' })
    const names = async (query: string) =>
      (await call('GET', `/api/automations${query}`)).body.data.map(({ name }: { name: string }) => name)
    expect(await names('?type=birthday')).toEqual(['Cumpleaños'])
    expect(await names('?status=active')).toEqual(['VIP'])
    expect(await names('?type=birthday&status=active')).toEqual([])
  })

  it('says by reason what a run left out', async () => {
    await guest({ phone: '+34600000001' })
    await guest({ phone: '+34600000002' })
    const { id } = await make()
    await call('POST', `/api/automations/${id}/run`)
    const [run] = (await call('GET', `/api/automations/${id}/runs`)).body.data
    expect((await runOutcomes(session(), [run.id])).get(run.id)).toEqual([
      { run_id: run.id, status: 'skipped', reason: 'no_address', messages: 2 },
    ])
  })
})

describe('a message with an unknown outcome', () => {
  const unknown = async () => {
    await guest({ email: 'ana@example.com' })
    const automation = await make()
    await call('POST', `/api/automations/${automation.id}/run`)
    await app.stack.sql(
      `update public.messages set status = 'unknown', reason = 'provider_timeout', sent_at = null`,
    )
    const [message] = (await call('GET', '/api/messages')).body.data
    return { automation, message }
  }
  const counts = async (id: string) => {
    const [{ sent, failed, pending, status }] = (await call('GET', `/api/automations/${id}/runs`)).body.data
    return { sent, failed, pending, status }
  }

  it('is settled as sent: it counts so in its run, and the log says who did it', async () => {
    const { automation, message } = await unknown()
    expect(await counts(automation.id)).toEqual({ sent: 0, failed: 1, pending: 0, status: 'finished' })
    const settled = await call('POST', `/api/messages/${message.id}/reconcile`, { status: 'sent' })
    expect(settled.body.data).toMatchObject({ status: 'sent', reason: null, sent_at: expect.any(String) })
    expect(await counts(automation.id)).toEqual({ sent: 1, failed: 0, pending: 0, status: 'finished' })
    expect(
      await app.stack.sql(
        `select actor_id::text as actor, action, subject_id::text as id, details ->> 'status' as status from public.audit_log
         where action = 'message.reconciled'`,
      ),
    ).toEqual([{ actor: person.id, action: 'message.reconciled', id: message.id, status: 'sent' }])
    expect((await call('POST', `/api/messages/${message.id}/reconcile`, { status: 'failed' })).status).toBe(
      409,
    )
  })

  it('is settled as failed: the next run writes again', async () => {
    const { automation, message } = await unknown()
    const run = () => call('POST', `/api/automations/${automation.id}/run`)
    expect((await run()).body).toMatchObject({ processed: 0, sent: 0 })
    await call('POST', `/api/messages/${message.id}/reconcile`, { status: 'failed' })
    expect((await run()).body).toMatchObject({ processed: 1, sent: 1 })
  })
})
