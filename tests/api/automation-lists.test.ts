import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { createCustomer, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/automations'

let app: TestApp
let group: Group
let other: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Listas')
  other = await createGroup(app.stack, 'Otras Listas')
  boss = await signedIn(await group.person('marketing'))
  await noQuietHours(app.stack)
})
beforeEach(() =>
  app.stack.sql(
    emptyTables('automations', 'automation_runs', 'messages', 'suppressions', 'customers', 'rate_limits'),
  ),
)
afterAll(() => app?.close())

const call = async (method: string, path: string, body?: unknown, client = boss) =>
  answer(await client.request(method, path, body === undefined ? {} : { body }))
const BIRTHDAY = { name: 'Cumpleaños', type: 'birthday', channel: 'email' }
const READY = { ...BIRTHDAY, subject: 'Hola {{ first_name }}', body: '¡Felicidades!' }
const make = async (more: object = {}) => (await call('POST', PATH, { ...READY, ...more })).body.data

/** Every page of a list, by `limit`. */
async function pages(path: string, limit: number): Promise<Record<string, unknown>[][]> {
  const found = []
  let cursor: string | null = null
  do {
    const mark: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const { status, body } = await call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${mark}`,
    )
    expect(status).toBe(200)
    found.push(body.data)
    cursor = body.next_cursor
  } while (cursor)
  return found
}

describe('lists', () => {
  const run = (id: string) => call('POST', `${PATH}/${id}/run`)

  it('go page by page, the newest first', async () => {
    for (let n = 0; n < 5; n++) await make({ name: `A${n}` })
    const automations = (await pages(PATH, 2)).map((data) => data.map(({ name }) => name))
    expect(automations).toEqual([['A4', 'A3'], ['A2', 'A1'], ['A0']])
    const ready = await make({
      name: 'Lista',
      status: 'active',
      type: 'vip_reward',
      criteria: { min_spend: 1 },
    })
    for (let n = 0; n < 5; n++)
      await createCustomer(app.stack, group.id, { email: `g${n}@example.com`, total_spend: 9 })
    for (let n = 0; n < 3; n++) await run(ready.id)
    const runs = await pages(`${PATH}/${ready.id}/runs`, 2)
    expect(
      runs.map((data) => data.map(({ processed, sent, pending }) => [processed, sent, pending])),
    ).toEqual([
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [[5, 5, 0]],
    ])
    // All of one instant: the id decides, and no message comes twice or not at all.
    const messages = (await pages('/api/messages', 2)).flat()
    expect(new Set(messages.map(({ id }) => id)).size).toBe(5)
    expect(messages).toHaveLength(5)
  })

  it('messages are filtered by automation, run, customer and status', async () => {
    const ana = await createCustomer(app.stack, group.id, { email: 'ana@example.com', total_spend: 9 })
    await createCustomer(app.stack, group.id, { phone: '+34600000001', total_spend: 9 })
    const active = { status: 'active', type: 'vip_reward', criteria: { min_spend: 1 } }
    const one = await make({ ...active, name: 'Una' })
    const two = await make({ ...active, name: 'Dos' })
    await run(one.id)
    await run(two.id)
    const [first] = (await call('GET', `${PATH}/${one.id}/runs`)).body.data
    const reasons = async (query: string) =>
      (await call('GET', `/api/messages?${query}`)).body.data
        .map(({ status, reason }: Record<string, string>) => reason ?? status)
        .sort()
    expect(await reasons('')).toEqual(['frequency_cap', 'no_address', 'no_address', 'sent'])
    expect(await reasons(`automation_id=${one.id}`)).toEqual(['no_address', 'sent'])
    expect(await reasons(`run_id=${first.id.toUpperCase()}`)).toEqual(['no_address', 'sent'])
    expect(await reasons(`customer_id=${ana}`)).toEqual(['frequency_cap', 'sent'])
    expect(await reasons(`customer_id=${ana}&status=sent`)).toEqual(['sent'])
    await app.stack.sql(
      `update public.messages set status = 'unknown', reason = 'lease_expired' where reason = 'frequency_cap'`,
    )
    expect(await reasons('status=unknown')).toEqual(['lease_expired'])
    expect((await call('GET', `/api/messages?status=sent`)).body.data[0]).toEqual({
      id: expect.any(String),
      automation_id: one.id,
      run_id: first.id,
      customer_id: ana,
      channel: 'email',
      recipient: 'ana@example.com',
      status: 'sent',
      reason: null,
      detail: null,
      created_at: expect.any(String),
      simulated: true,
      sent_at: expect.any(String),
    })
    const stranger = await signedIn(await other.person('super_admin'))
    expect((await call('GET', '/api/messages', undefined, stranger)).body.data).toEqual([])
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=nope',
    `cursor=${Buffer.from(JSON.stringify(['2026-02-30T00:00:00+00:00', crypto.randomUUID()])).toString('base64url')}`,
    `cursor=${Buffer.from(JSON.stringify(['hoy', crypto.randomUUID()])).toString('base64url')}`,
    `cursor=${Buffer.from(JSON.stringify(['9999-01-01T00:00:00+00:00', crypto.randomUUID()])).toString('base64url')}`,
  ])('refuse %s', async (query) => {
    const { id } = await make()
    for (const path of [PATH, `${PATH}/${id}/runs`, '/api/messages'])
      expect((await call('GET', `${path}?${query}`)).status).toBe(400)
  })

  it.each(['status=lost', 'run_id=nope', 'customer_id=1'])('messages refuse %s', async (query) => {
    expect((await call('GET', `/api/messages?${query}`)).status).toBe(400)
  })
})

describe('the preview', () => {
  const preview = async (id: string) => call('GET', `${PATH}/${id}/preview`)

  it('counts by reason and renders for one of the audience, without doing anything', async () => {
    const { id } = await make({ type: 'vip_reward', criteria: { min_spend: 100 }, status: 'inactive' })
    expect((await preview(id)).body.data).toEqual({
      matched: 0,
      to_send: 0,
      held_by_quiet_hours: 0,
      skipped: {
        no_address: 0,
        not_mobile: 0,
        suppressed: 0,
        no_consent: 0,
        needs_template: 0,
        no_provider: 0,
        no_app_url: 0,
        frequency_cap: 0,
        guest_frequency: 0,
        brand_muted: 0,
        duplicate: 0,
        control_group: 0,
      },
      sample: null,
      check: { blocking: [], warnings: [] },
      seed: null,
    })
    const guest = (row: object) => createCustomer(app.stack, group.id, { total_spend: 100, ...row })
    const ana = await guest({ email: 'ana@example.com', first_name: 'Ana' })
    await guest({ email: 'baja@example.com' })
    await guest({ email: 'nueva@example.com', consents: {} })
    await guest({ phone: '+34600000001' })
    await guest({ email: 'poco@example.com', total_spend: 1 })
    await app.stack.sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'baja@example.com', 'complaint')`,
      [group.id],
    )
    expect((await preview(id)).body.data).toEqual({
      matched: 4,
      to_send: 1,
      held_by_quiet_hours: 0,
      skipped: {
        no_address: 1,
        not_mobile: 0,
        suppressed: 1,
        no_consent: 1,
        needs_template: 0,
        no_provider: 0,
        no_app_url: 0,
        frequency_cap: 0,
        guest_frequency: 0,
        brand_muted: 0,
        duplicate: 0,
        control_group: 0,
      },
      sample: {
        customer_id: ana,
        customer_name: 'Ana',
        channel: 'email',
        subject: 'Hola Ana',
        body: expect.stringMatching(/^¡Felicidades!/),
        content_sid: null,
        content_variables: {},
        html: expect.stringContaining('¡Felicidades!'),
      },
      check: { blocking: [], warnings: [] },
      seed: null,
    })
    expect(await app.stack.sql('select 1 from public.messages')).toEqual([])
    expect(await app.stack.sql('select 1 from public.automation_runs')).toEqual([])
  })

  it('shows the customer who came last when nobody matches', async () => {
    const { id } = await make()
    await createCustomer(app.stack, group.id, { first_name: 'Vieja', last_visit_at: '2020-01-01T00:00:00Z' })
    await createCustomer(app.stack, group.id, { first_name: 'Nueva', last_visit_at: '2026-01-01T00:00:00Z' })
    expect((await preview(id)).body.data).toMatchObject({ matched: 0, sample: { subject: 'Hola Nueva' } })
  })

  it('refuses a template that takes too long', async () => {
    await createCustomer(app.stack, group.id, { first_name: 'Ana' })
    const loops = ['i', 'j', 'k', 'l'].map((name) => `{% for ${name} in (1..100) %}`)
    const { id } = await make({ body: `${loops.join('')}${'{% endfor %}'.repeat(4)}` })
    expect((await preview(id)).status).toBe(400)
  })
})
