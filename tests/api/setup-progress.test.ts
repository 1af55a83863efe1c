import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { can, type Role } from '@/lib/permissions'
import { setupOnHome } from '@/lib/setup/progress'
import type { SetupEntries } from '@/lib/setup/schema'
import { createGroup, type Group, type Person, PMS_KEY } from '../factories/group'
import { RESEND, TWILIO } from '../factories/integrations'
import { createPeople } from '../fakes/pms/people'
import { type PmsSimulator, startPmsSimulator } from '../fakes/pms/server'
import { createWorld } from '../fakes/pms/world'
import type { Deliver } from '../fakes/providers/server'
import { type FakeResend, signed, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const PUBLIC = 'https://crm.example'

let app: TestApp
let group: Group
let boss: Person
let pms: PmsSimulator
let twilio: FakeTwilio
let resend: FakeResend

const deliver: Deliver = (url, headers, body) =>
  app.client().request('POST', url.replace(PUBLIC, ''), { headers, body })

beforeAll(async () => {
  const slugs = ['triana']
  const world = createWorld({
    ...{ seed: 'setup', people: createPeople({ seed: 'setup', count: 50, slugs }), now: () => new Date() },
    venues: [{ name: 'Triana', slug: 'triana', timezone: 'Europe/Madrid', shape: 'external' }],
  })
  pms = await startPmsSimulator({ world, apiKey: PMS_KEY })
  twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token, deliver })
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret, deliver })
  resend.account.domains = [{ name: 'grupo.example', status: 'verified' }]
  app = await startApp({ APP_URL: PUBLIC, TWILIO_BASE_URL: twilio.url, RESEND_BASE_URL: resend.url })
  group = await createGroup(app.stack, 'Grupo Nuevo')
  boss = await group.person('super_admin')
})
beforeEach(() => app.stack.sql(emptyTables('rate_limits')))
afterAll(async () => {
  await Promise.all([pms, twilio, resend].map((fake) => fake?.close()))
  await app?.close()
})

const request = async (method: string, path: string, body?: object, by = boss) =>
  answer(await (await signedIn(by)).request(method, path, body ? { body } : {}))
async function change(method: string, path: string, body: object) {
  const { status, body: given } = await request(method, path, body)
  expect([200, 201]).toContain(status)
  return given.data
}
const list = async (by = boss): Promise<SetupEntries> =>
  (await request('GET', '/api/setup/steps', undefined, by)).body.data
const done = async () =>
  Object.entries((await list()).steps).flatMap(([step, { done: is }]) => (is ? [step] : []))
const save = (type: string, config: object, is_enabled = true) =>
  change('PUT', `/api/integrations/${type}`, { is_enabled, config })
const test = async (type: string) => (await request('POST', `/api/integrations/${type}/test`)).body
const testMail = async () => (await request('POST', '/api/integrations/test-mail')).body
const onHome = ({ db }: Person, role: Role = 'super_admin') =>
  setupOnHome({ db, can: (permission) => can(role, permission) })

describe('a new group', { shuffle: false }, () => {
  let place: string

  it('begins with nothing done', async () => {
    expect(await done()).toEqual([])
    expect(await list()).toMatchObject({ shown: true, skipped: {}, tests: {}, schedule: null })
  })

  it('has locations, and hours for each that is open', async () => {
    place = (await change('POST', '/api/locations', { name: 'Triana' })).id
    expect(await done()).toEqual(['locations'])
    expect((await list()).steps.locations).toEqual({
      ...{ done: true, at: expect.any(String), by: expect.stringContaining(boss.email) },
    })
    expect((await list()).without_hours).toBe(place)
    const dinner = { name: 'Cena', weekdays: [1, 2, 3], opens: '20:00', closes: '23:30', capacity: 40 }
    await change('PUT', `/api/locations/${place}/hours`, { shifts: [dinner], closed_days: [] })
    expect(await done()).toEqual(['locations', 'hours'])
    expect((await list()).without_hours).toBeNull()
    const other = await change('POST', '/api/locations', { name: 'Alameda' })
    expect((await list()).without_hours).toBe(other.id)
    await change('PATCH', `/api/locations/${other.id}`, { is_active: false })
    expect(await done()).toContain('hours')
  })

  it('has a PMS once its test passed, and no longer when a later one fails or another key is saved', async () => {
    const right = { base_url: pms.url, api_key: PMS_KEY, venue_id: 'triana' }
    await save('pms', { ...right, api_key: 'wrong' })
    expect(await done()).not.toContain('pms')
    expect(await test('pms')).toMatchObject({ success: false, reason: 'bad_key' })
    expect((await list()).tests.pms).toMatchObject({ by: boss.email, reason: 'bad_key' })
    await save('pms', right)
    expect((await list()).tests.pms).toBeUndefined()
    expect(await test('pms')).toMatchObject({ success: true })
    // Without its identifier there a location gets nothing.
    expect(await done()).not.toContain('pms')
    await change('PATCH', `/api/locations/${place}`, { pms_id: 'triana' })
    expect(await done()).toContain('pms')
    expect((await list()).steps.pms).toEqual({ done: true, at: expect.any(String), by: boss.email })

    pms.setFault('triana', { kind: 'error', status: 401 })
    expect(await test('pms')).toMatchObject({ success: false })
    expect(await done()).not.toContain('pms')
    pms.clearFaults()
    await test('pms')
    expect(await done()).toContain('pms')
    // Off, it brings nothing; on again it is what was tested.
    await save('pms', { base_url: pms.url, venue_id: 'triana' }, false)
    expect(await done()).not.toContain('pms')
    await save('pms', { base_url: pms.url, venue_id: 'triana' })
    expect(await done()).toContain('pms')
    await save('pms', { base_url: pms.url, venue_id: 'triana', api_key: 'another' })
    expect(await done()).not.toContain('pms')
    await save('pms', right)
    await test('pms')
  })

  it('does not count a test of what is only typed', async () => {
    const before = (await list()).tests.pms
    const config = { base_url: pms.url, api_key: 'wrong', venue_id: 'triana' }
    expect((await request('POST', '/api/integrations/pms/test', { config })).body.success).toBe(false)
    expect((await list()).tests.pms).toEqual(before)
  })

  it('has e-mail once a test mail was accepted, and no longer when the connection fails later', async () => {
    expect(await testMail()).toMatchObject({ success: false, reason: 'not_configured', to: boss.email })
    await save('resend', { ...RESEND, from_email: 'hola@otro.example' })
    expect(await test('resend')).toMatchObject({ success: false, reason: 'domain_not_verified' })
    expect(await testMail()).toMatchObject({ success: false, reason: 'domain_not_verified' })
    expect(resend.accepted).toEqual([])
    await save('resend', RESEND)
    // That the account is right is not yet a mail.
    expect(await test('resend')).toEqual({ success: true })
    expect(await done()).not.toContain('email')
    expect(await testMail()).toEqual({ success: true, to: boss.email })
    expect(resend.accepted.map(({ email }) => [email.to, email.from, email.subject])).toEqual([
      [boss.email, 'Grupo Norte <hola@grupo.example>', 'Correo de prueba de Grupo Nuevo'],
    ])
    expect(await done()).toContain('email')
    resend.setFault({ kind: 'error_before', status: 503 })
    expect(await test('resend')).toMatchObject({ success: false, reason: 'http_status' })
    expect(await done()).not.toContain('email')
    resend.setFault(null)
    await test('resend')
    expect(await done()).toContain('email')
  })

  it.each([
    [403, 'validation_error', 'The domain is not verified', 'domain_not_verified'],
    [429, 'monthly_quota_exceeded', 'Too many e-mails', 'quota'],
  ])(
    'is told why a mail is refused that the connection did not foretell: %s %s',
    async (status, name, message, reason) => {
      resend.account.refuses = { status, name, message }
      const told = await testMail()
      delete resend.account.refuses
      expect(told).toMatchObject({ success: false, reason })
      expect(await done()).not.toContain('email')
    },
  )

  it('has a team and customers', async () => {
    await testMail()
    const sent = resend.accepted.length
    await change('POST', '/api/team/invitations', { email: 'sala@nuevo.example', role: 'operaciones' })
    // E-mail comes first in the list: the invitation goes out by itself.
    expect(resend.accepted.slice(sent).map(({ email }) => email.to)).toEqual(['sala@nuevo.example'])
    await change('POST', '/api/customers', { first_name: 'Ana' })
    expect(await done()).toEqual(expect.arrayContaining(['team', 'data']))
    expect((await list()).steps.team.by).toContain(boss.email)
  })

  it('puts channels off and opens them again, and none that it needs', async () => {
    const put = (step: string, skipped: boolean, by = boss) =>
      request('PUT', `/api/setup/steps/${step}`, { skipped }, by)
    expect((await put('channels', true)).status).toBe(200)
    expect((await list()).skipped).toEqual({ channels: { at: expect.any(String), by: boss.email } })
    expect(await done()).not.toContain('channels')
    expect((await put('channels', false)).status).toBe(200)
    expect((await list()).skipped).toEqual({})
    for (const step of ['team', 'email', 'nothing'])
      expect(await put(step, true)).toEqual(refusal('NOT_FOUND'))
    const bound = await group.person('admin', [place])
    expect(await put('channels', true, bound)).toEqual(refusal('FORBIDDEN'))
    expect((await list()).skipped).toEqual({})
  })

  it('has channels once Twilio and its senders passed', async () => {
    await save('twilio', { ...TWILIO, sms_from: '+34999999999' })
    expect(await test('twilio')).toMatchObject({ success: false, reason: 'sms_sender_unknown' })
    expect(await done()).not.toContain('channels')
    await save('twilio', TWILIO)
    await test('twilio')
    expect(await done()).toContain('channels')
  })

  it('has its webhooks and schedule once both providers called and the jobs ran', async () => {
    const cron = { headers: { authorization: `Bearer ${app.cronSecret}` } }
    expect((await app.client().request('GET', '/api/cron/calendar-reminders', cron)).status).toBe(200)
    expect((await list()).schedule).not.toBeNull()
    await twilio.inbound({
      ...{ from: '+34600000001', to: '+34900000001', body: 'Hola', url: `${PUBLIC}/api/webhooks/twilio` },
    })
    expect(await done()).not.toContain('webhooks')
    expect(await onHome(boss)).not.toBeNull()
    const report = (secret: string) =>
      deliver(`${PUBLIC}/api/webhooks/resend`, signed('{}', secret, new Date()), '{}')
    expect((await report('whsec_AAAA')).status).toBe(403)
    expect((await list()).webhooks.resend).toEqual({ heard_at: null, refused_at: expect.any(String) })
    expect((await report(RESEND.webhook_secret)).status).toBe(200)
    expect(await done()).toContain('webhooks')
    // Who else may send a call with a wrong signature does not undo it; a day of nothing else does.
    await app.stack.sql(`update public.webhook_calls set heard_at = heard_at - interval '25 hours'`)
    expect(await done()).not.toContain('webhooks')
    await app.stack.sql(`update public.webhook_calls set heard_at = now()`)
    await app.stack.sql(`update public.job_runs set started_at = started_at - interval '3 hours'`)
    expect(await done()).not.toContain('webhooks')
    await app.stack.sql(`update public.job_runs set started_at = now()`)
  })

  it('sees the list on home until all is done, and in the settings for ever', async () => {
    expect(await done()).toHaveLength(8)
    expect(await onHome(boss)).toBeNull()
    await request('PUT', '/api/setup/steps/channels', { skipped: true })
    expect(await onHome(boss)).toBeNull()
    // Another signing secret has not been heard.
    await save('resend', { ...RESEND, webhook_secret: 'whsec_AAAAAAAAAAAAAAAAAAAA' })
    expect(await done()).not.toContain('webhooks')
    expect((await list()).webhooks).toMatchObject({
      resend: { heard_at: null },
      twilio: { heard_at: expect.any(String) },
    })
    expect(await onHome(boss)).not.toBeNull()
    await change('PATCH', '/api/organization', { show_setup: false })
    expect(await onHome(boss)).toBeNull()
    expect((await list()).shown).toBe(false)
    await change('PATCH', '/api/organization', { show_setup: true })
  })
})

it('is for those who can do the steps: not for other roles, nor for people bound to locations', async () => {
  const [location] = await app.stack.sql<{ id: string }>('select id from public.locations limit 1')
  expect(await list(await group.person('admin'))).toMatchObject({ shown: true })
  const ask = (by: Person) => request('GET', '/api/setup/steps', undefined, by)
  expect(await ask(await group.person('admin', [String(location?.id)]))).toEqual(refusal('FORBIDDEN'))
  const manager = await group.person('ceo')
  expect(await ask(manager)).toEqual(refusal('FORBIDDEN'))
  // Not even when the app asks.
  expect(await onHome(manager, 'super_admin')).toBeNull()
})

it('shows nothing of another group', async () => {
  const other = await createGroup(app.stack, 'Otro Grupo')
  const { steps, tests, webhooks } = await list(await other.person('super_admin'))
  expect(Object.values(steps).filter(({ done: is }) => is)).toEqual([])
  expect(tests).toEqual({})
  const never = { heard_at: null, refused_at: null }
  expect(webhooks).toEqual({ twilio: never, resend: never })
})

it('keeps no outcome of settings that were replaced while they were tested', async () => {
  await save('twilio', TWILIO)
  twilio.setFault({ kind: 'hang' })
  const asked = twilio.requests.length
  const running = test('twilio')
  await vi.waitFor(() => expect(twilio.requests.length).toBeGreaterThan(asked), 60_000)
  await save('twilio', { ...TWILIO, sms_from: 'Grupo Norte' })
  await twilio.refuse()
  expect(await running).toMatchObject({ success: false })
  expect((await list()).tests.twilio).toBeUndefined()
})
