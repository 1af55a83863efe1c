import { afterAll, beforeAll, beforeEach } from 'vitest'
import { runAllAutomations } from '@/lib/automations/run'
import { waitForDetachedWork } from '@/lib/http/after'
import { createGroup, type Group, stackClient } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { createAutomation, createCustomer, DECLARED, type NewAutomation } from '../factories/messaging'
import type { Deliver } from '../fakes/providers/server'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { startApp, type TestApp } from './app'
import { emptyTables } from './empty-tables'

export const NOON = new Date('2026-11-20T11:00:00Z')
export const SITE = 'https://crm.example'
export const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

export let app: TestApp
export let group: Group
export let twilio: FakeTwilio
export let resend: FakeResend

/** What a provider calls at the public address reaches the handlers, as through a proxy. */
export const deliver: Deliver = (url, headers, body) =>
  app.client().request('POST', url.replace(SITE, ''), { headers, body })

/** A group that sends by Twilio and Resend, both simulated over HTTP, as fast as they go; emptied before each test. */
export function withDelivery(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token, deliver })
    resend = await startFakeResend({
      apiKey: RESEND.api_key,
      webhookSecret: RESEND.webhook_secret,
      deliver,
    })
    app = await startApp({
      APP_URL: SITE,
      TWILIO_BASE_URL: twilio.url,
      RESEND_BASE_URL: resend.url,
      SMS_PER_SECOND: '0',
      WHATSAPP_PER_SECOND: '0',
      EMAILS_PER_SECOND: '0',
      ...settings,
    })
    group = await createGroup(app.stack, 'Grupo Entrega', [
      { name: 'Madrid', slug: 'madrid' },
      { name: 'Canarias', slug: 'canarias', timezone: 'Atlantic/Canary' },
    ])
  })
  beforeEach(async () => {
    // What the test before set off after its last answer would meet the truncation in a deadlock.
    await waitForDetachedWork()
    for (const fake of [twilio, resend]) {
      fake.setFault(null)
      fake.accepted.length = 0
      fake.requests.length = 0
    }
    await app.stack.sql(
      emptyTables(
        'automations',
        'automation_runs',
        'messages',
        'suppressions',
        'whatsapp_windows',
        'webhook_receipts',
        'channel_pace',
        'job_leases',
        'job_runs',
        'rate_limits',
      ),
    )
    await connect(app.stack, group.id, 'twilio', TWILIO)
    await connect(app.stack, group.id, 'resend', RESEND)
    await app.stack.sql(
      `update public.organizations set frequency_cap_days = 0, quiet_from = '21:30', quiet_until = '09:30'`,
    )
  })
  afterAll(async () => {
    await Promise.all([app?.close(), twilio?.close(), resend?.close()])
  })
}

export const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
export const service = () => stackClient(app.stack, 'service')
export const automate = (automation: NewAutomation) => createAutomation(app.stack, group.id, automation)
/** An automation by SMS that matches everyone with 100 EUR. */
export const bySms = (more: Partial<NewAutomation> = {}) =>
  automate({ type: 'vip_reward', criteria: { min_spend: 100 }, channel: 'sms', ...more })
export const guest = (row: Record<string, unknown>) =>
  createCustomer(app.stack, group.id, { total_spend: 500, ...row })
/** So many guests, each with phone and e-mail. */
export const guests = (count: number) =>
  sql(
    `insert into public.customers (organization_id, first_name, email, phone, total_spend, consents)
     select $1, 'g' || n, 'g' || n || '@example.com', '+346' || 10000000 + n, 500, $3 from generate_series(1, $2::int) n`,
    [group.id, count, DECLARED],
  )
/** The automations job, at that time. */
export const runAt = (now = NOON) =>
  runAllAutomations({ db: service(), now, signal: new AbortController().signal })
export const tally = async () => {
  const rows = await sql<{ line: string }>(
    `select status || coalesce(' ' || reason, '') || ' ' || count(*) as line from public.messages
     group by status, reason order by 1`,
  )
  return rows.map(({ line }) => line)
}
export const phones = () => twilio.accepted.map(({ form }) => String(form.To).replace('whatsapp:', '')).sort()
