import { beforeAll, expect, it, vi } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { RESEND, TWILIO } from '../factories/integrations'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, automate, group, guests, phones, resend, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

// Twenty a second: there is time to switch the provider off while a run is under way.
withDelivery({ MESSAGE_SANDBOX: '0', SMS_PER_SECOND: '20' })

const GUESTS = 45
let admin: Client
beforeAll(async () => {
  admin = await signedIn(await group.person('admin'))
})

const get = async (path: string) => (await answer(await admin.request('GET', path))).body
const cron = async () => {
  const headers = { authorization: `Bearer ${app.cronSecret}` }
  return (await answer(await app.client().request('GET', '/api/cron/automations', { headers }))).body
}
const save = async (type: 'twilio' | 'resend', is_enabled: boolean) => {
  const { sms_from, whatsapp_from, account_sid, auth_token } = TWILIO
  const config = type === 'twilio' ? { sms_from, whatsapp_from, account_sid, auth_token } : RESEND
  const body = { is_enabled, config }
  expect((await admin.request('PUT', `/api/integrations/${type}`, { body })).status).toBe(200)
}
const ledger = () => twilio.accepted.length + resend.accepted.length

/** No figure says more than the providers have accepted. */
async function figuresAreTrue(automation: string): Promise<void> {
  const { data: runs } = await get(`/api/automations/${automation}/runs`)
  const sent = runs.reduce((sum: number, run: { sent: number }) => sum + run.sent, 0)
  const { data: results } = await get(`/api/automations/${automation}/results`)
  const listed = (await get(`/api/messages?automation_id=${automation}&status=sent&limit=200`)).data
  expect(sent).toBe(ledger())
  expect(results.messages.sent).toBe(ledger())
  expect(listed).toHaveLength(ledger())
}

it('absent, connected, switched off and back: everyone hears once, and no figure says more', async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers'))
  await sql('delete from public.integration_configs')
  // The cap must not be used up by what never left.
  await sql('update public.organizations set frequency_cap_days = 7')
  await guests(GUESTS)
  const id = await automate({ type: 'vip_reward', criteria: { min_spend: 100 }, channel: 'sms' })

  // Absent.
  expect((await cron()).statistics).toEqual({
    totalProcessed: GUESTS,
    totalSent: 0,
    totalSkipped: GUESTS,
    totalFailed: 0,
  })
  await figuresAreTrue(id)
  const { data: skipped } = await get(`/api/messages?automation_id=${id}&status=skipped&limit=1`)
  expect(skipped).toMatchObject([{ reason: 'no_provider', simulated: false, sent_at: null }])

  // Connected: the next scheduled run writes to all of them; then it is switched off under way.
  await save('twilio', true)
  const running = cron()
  await vi.waitFor(() => expect(ledger()).toBeGreaterThan(0), { timeout: 20_000 })
  await save('twilio', false)
  const second = await running
  const heard = ledger()
  expect(heard).toBeLessThan(GUESTS)
  expect(second.statistics).toMatchObject({ totalProcessed: GUESTS, totalSent: heard, totalSkipped: 0 })
  await figuresAreTrue(id)
  const [paused] = (await get(`/api/automations/${id}/runs`)).data
  expect(paused).toMatchObject({
    status: 'paused',
    reason: 'no_provider',
    sent: heard,
    pending: GUESTS - heard,
    simulated: 0,
  })
  expect((await get(`/api/messages?run_id=${paused.id}&status=queued&limit=200`)).data).toHaveLength(
    GUESTS - heard,
  )
  expect((await get('/api/notices')).data).toMatchObject({ paused_runs: 1 })

  // Off: neither a scheduled run nor resuming sends anything, and the run says so again.
  expect((await cron()).statistics).toMatchObject({ totalProcessed: 0, totalSent: 0 })
  const path = `/api/automations/${id}/runs/${paused.id}/resume`
  expect((await admin.request('POST', path)).status).toBe(200)
  await waitForDetachedWork()
  expect(
    (await get(`/api/automations/${id}/runs`)).data.map(({ status }: { status: string }) => status),
  ).toContain('paused')
  expect(ledger()).toBe(heard)

  // Back.
  await save('twilio', true)
  expect((await admin.request('POST', path)).status).toBe(200)
  await waitForDetachedWork()
  expect(phones()).toHaveLength(GUESTS)
  expect(new Set(phones()).size).toBe(GUESTS)
  for (const { form } of twilio.accepted)
    expect(form.StatusCallback).toMatch(/^https:\/\/crm\.example\/api\/webhooks\/twilio\?message=/)
  await figuresAreTrue(id)

  // The third run finds no guest left to write to.
  expect((await cron()).statistics).toMatchObject({ totalProcessed: 0, totalSent: 0 })
  expect(ledger()).toBe(GUESTS)
  await figuresAreTrue(id)
})
