import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAYS } from '@/lib/organization/limits'
import { createGroup, type Group, POSTAL_ADDRESS } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Ajustes', [{ name: 'Norte', slug: 'norte' }])
  await createGroup(app.stack, 'Otros Ajustes')
  boss = await signedIn(await group.person('admin'))
})
afterAll(() => app?.close())

const PATH = '/api/organization'
const change = (body: unknown, client = boss) => client.request('PATCH', PATH, { body }).then(answer)
const stored = () => app.stack.sql('select to_jsonb(o) as row from public.organizations o order by id')
const usual = () => ({
  id: group.id,
  name: 'Grupo Ajustes',
  slug: expect.stringContaining('grupo-ajustes'),
  timezone: 'Europe/Madrid',
  show_setup: true,
  frequency_cap_days: 7,
  quiet_from: '21:30',
  quiet_until: '09:30',
  limit_marketing_to_roles: false,
  require_second_factor: false,
  horizon_days: null,
  keep_job_runs_days: 90,
  keep_automation_runs_days: 365,
  keep_webhook_receipts_days: 90,
  keep_failed_rows_days: 30,
  ai_daily_calls: 500,
  ai_daily_calls_per_person: 100,
  ai_daily_tokens: 3_000_000,
  ai_daily_tokens_per_person: 600_000,
  approve_above: null,
  campaign_approve_above: 5000,
  control_share: 10,
  offer_tables_minutes: null,
  sms_price: null,
  postal_address: POSTAL_ADDRESS,
  language: 'es',
})

describe('the organization', () => {
  it('has a time zone that new locations start with, and refuses one that Postgres does not know', async () => {
    // Node knows the second whatever its case.
    for (const timezone of ['Europe/Atlantis', 'europe/madrid'])
      expect(await change({ timezone })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'timezone', code: 'unknown' }] },
      })
    expect((await change({ timezone: 'Atlantic/Canary' })).body.data.timezone).toBe('Atlantic/Canary')
    expect((await change({ timezone: 'Europe/Madrid' })).status).toBe(200)
  })

  it('is changed field by field, and no other', async () => {
    const before = await stored()
    const changed = await change({ frequency_cap_days: 0, quiet_from: '00:00' })
    expect(changed.body.data).toEqual({ ...usual(), frequency_cap_days: 0, quiet_from: '00:00' })
    expect((await change({ name: ' Grupo Nuevo ', quiet_until: '23:59' })).body.data).toMatchObject({
      name: 'Grupo Nuevo',
      quiet_from: '00:00',
      quiet_until: '23:59',
    })
    const others = (rows: unknown[]) => rows.filter((row) => !JSON.stringify(row).includes(group.id))
    expect(others(await stored())).toEqual(others(before))
  })

  it('takes each number up to its bounds, and the horizon back to the usual one', async () => {
    for (const [name, { min, max }] of Object.entries(DAYS))
      for (const days of [max, min])
        expect((await change({ [name]: days })).body.data).toMatchObject({ [name]: days })
    expect((await change({ horizon_days: null })).body.data.horizon_days).toBeNull()
    const { frequency_cap_days, quiet_from, quiet_until, ...kept } = usual()
    await change({ frequency_cap_days, quiet_from, quiet_until, name: kept.name })
    const back = { keep_job_runs_days: 90, keep_automation_runs_days: 365 }
    await change({ ...back, keep_webhook_receipts_days: 90, keep_failed_rows_days: 30 })
    expect((await answer(await boss.request('GET', PATH))).body.data).toEqual(usual())
  })

  it('keeps the price of an SMS to four decimals, or none', async () => {
    expect((await change({ sms_price: 0.0715 })).body.data.sms_price).toBe(0.0715)
    expect((await change({ sms_price: null })).body.data.sms_price).toBeNull()
  })

  it('has a language, with a region or without, and the log has it before and after', async () => {
    await app.stack.sql('delete from public.audit_log')
    expect((await change({ language: 'ca-ES' })).body.data.language).toBe('ca')
    expect(
      await app.stack.sql('select details from public.audit_log where subject_id = $1', [group.id]),
    ).toEqual([{ details: { fields: ['language'], before: { language: 'es' }, after: { language: 'ca' } } }])
    expect((await change({ language: 'es' })).body.data.language).toBe('es')
  })

  it('logs who changed which fields, and nothing when nothing changed', async () => {
    await app.stack.sql('delete from public.audit_log')
    const person = await group.person('super_admin')
    const client = await signedIn(person)
    await change({ quiet_from: '22:00', keep_failed_rows_days: 7 }, client)
    await change({ quiet_from: '22:00' }, client)
    await change({}, client)
    expect(
      await app.stack.sql(
        'select actor_id::text as actor, action, subject_id::text as id, details from public.audit_log where subject_id = $1',
        [group.id],
      ),
    ).toEqual([
      {
        actor: person.id,
        action: 'organization.changed',
        id: group.id,
        details: {
          fields: ['keep_failed_rows_days', 'quiet_from'],
          before: { keep_failed_rows_days: 30, quiet_from: '21:30:00' },
          after: { keep_failed_rows_days: 7, quiet_from: '22:00:00' },
        },
      },
    ])
    await change({ quiet_from: '21:30', keep_failed_rows_days: 30 })
  })

  it.each([
    [{ horizon_days: 0 }],
    [{ horizon_days: 366 }],
    [{ horizon_days: 'x' }],
    [{ keep_job_runs_days: 6 }],
    [{ keep_job_runs_days: 731 }],
    [{ keep_job_runs_days: null }],
    [{ keep_automation_runs_days: 29 }],
    [{ keep_automation_runs_days: 3651 }],
    [{ keep_webhook_receipts_days: 6 }],
    [{ keep_webhook_receipts_days: 731 }],
    [{ keep_failed_rows_days: 0 }],
    [{ ai_daily_calls: -1 }],
    [{ ai_daily_tokens: 1_000_000_001 }],
    [{ approve_above: 0 }],
    [{ approve_above: 1.5 }],
    [{ campaign_approve_above: 0 }],
    [{ control_share: 51 }],
    [{ offer_tables_minutes: 4 }],
    [{ offer_tables_minutes: 61 }],
    [{ sms_price: -0.1 }],
    [{ sms_price: 10.1 }],
    [{ keep_failed_rows_days: 366 }],
    [{ keep_failed_rows_days: 30.5 }],
    [{ quiet_from: '22:00', keep_failed_rows_days: -1 }],
    [{ name: '' }],
    [{ name: null }],
    [{ name: 'A\u0000' }],
    [{ frequency_cap_days: -1 }],
    [{ frequency_cap_days: 366 }],
    [{ frequency_cap_days: 1.5 }],
    [{ frequency_cap_days: 1e300 }],
    [{ quiet_from: '24:00' }],
    [{ quiet_from: '9:30' }],
    [{ quiet_until: '09:30:00' }],
    [{ quiet_until: null }],
    [{ language: 'ru' }],
    [{ language: '' }],
    [{ language: null }],
    [{ slug: 'otro' }],
    [{ id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11' }],
    [[]],
    [undefined],
  ])('refuses %j', async (body) => {
    const before = await stored()
    expect(await change(body)).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.any(String) }),
    })
    expect(await stored()).toEqual(before)
  })
})
