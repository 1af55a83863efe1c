import { afterAll, beforeAll, beforeEach } from 'vitest'
import { drain } from '@/lib/messaging/drain'
import type { OutboundMessage, Outcome, Provider } from '@/lib/messaging/provider'
import { claimMessages } from '@/lib/messaging/queue'
import type { Channel } from '@/lib/messaging/schema'
import { createGroup, type Group, stackClient } from '../factories/group'
import { createAutomation, createCustomer, type NewAutomation } from '../factories/messaging'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from './empty-tables'

export const NOON = new Date('2026-11-20T11:00:00Z')
export const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
export const ANA = { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com', phone: '+34600000001' }
export const BEA = { first_name: 'Bea', email: 'bea@example.com', phone: '+34600000002' }

export let app: TestApp
export let group: Group
export let db: ReturnType<typeof stackClient>

/** A stack with one group, Norte in Madrid and Isla in the Canaries; emptied before each test. */
export function withOutbox(): void {
  beforeAll(async () => {
    app = await startApp()
    db = stackClient(app.stack, 'service')
    group = await createGroup(app.stack, 'Grupo Cola', [
      { name: 'Norte', slug: 'norte' },
      { name: 'Isla', slug: 'isla', timezone: 'Atlantic/Canary' },
    ])
    // Messages are as they are written: sending-check.test.ts tries how marketing ends.
    await app.stack.sql('update public.organizations set postal_address = null')
  })
  beforeEach(async () => {
    await app.stack.sql(
      emptyTables('automations', 'messages', 'suppressions', 'customers', 'channel_pace', 'whatsapp_windows'),
    )
    await app.stack.sql(
      `update public.organizations set frequency_cap_days = 7, quiet_from = '21:30', quiet_until = '09:30'`,
    )
  })
  afterAll(() => app?.close())
}

export const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
export const locationId = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
/** An automation that matches everyone with 100 EUR. */
export const automate = (more: Partial<NewAutomation> = {}) =>
  createAutomation(app.stack, group.id, { type: 'vip_reward', criteria: { min_spend: 100 }, ...more })
export const guest = (row: Record<string, unknown>) =>
  createCustomer(app.stack, group.id, { total_spend: 500, location_id: locationId('Norte'), ...row })
export async function enqueue(automation: string, now = NOON, more: object = {}) {
  const parameters = { p_organization: group.id, p_automation: automation, p_triggered_by: 'manual', ...more }
  const { data } = await db.rpc('enqueue_run', { ...parameters, p_now: now.toISOString() }).throwOnError()
  return data as { outcome: string; run_id: string; more: boolean }
}
export const claim = (
  now = NOON,
  channel: Channel = 'email',
  limit = 100,
  more: Pick<Parameters<typeof claimMessages>[1], 'integrations' | 'closed'> = {},
) => claimMessages(db, { organizationId: group.id, channel, limit, leaseSeconds: 60, now, ...more })
export const messages = () =>
  sql<{ who: string; channel: string; status: string; reason: string | null }>(
    `select c.first_name as who, m.channel, m.status, m.reason from public.messages m
     left join public.customers c on c.id = m.customer_id order by m.created_at, c.first_name, m.status`,
  )
/** The messages as `Ana: sms queued`: who, channel, and the reason, else the status. */
export const ways = async () =>
  (await messages()).map(({ who, channel, status, reason }) => `${who}: ${channel} ${reason ?? status}`)
export const suppress = (address: string, p_reason: string, p_channel = 'email') =>
  db
    .rpc('suppress_addresses', { p_organization: group.id, p_channel, p_addresses: [address], p_reason })
    .throwOnError()
export const statuses = async () =>
  (await messages()).map(({ who, status, reason }) => `${who}: ${reason ?? status}`)
export const runs = () =>
  sql<Record<string, unknown>>(
    'select status, processed, sent, skipped, failed from public.automation_runs order by started_at, processed desc',
  )
export const frozen = (batch: Awaited<ReturnType<typeof claim>>) =>
  batch.messages.map(({ id, lease_token }) => ({
    id,
    lease_token,
    content: { body: 'Hola' },
    idempotency_key: `message-${id}`,
  }))

/** Whoever has the number has just written by WhatsApp. */
export const opensWindow = (address: string, at = NOON) =>
  sql('insert into public.whatsapp_windows (organization_id, address, last_inbound_at) values ($1, $2, $3)', [
    group.id,
    address,
    at,
  ])

/** A provider that keeps what it was given and answers as told. */
export function fakeProvider(outcome: (message: OutboundMessage) => Outcome = accept) {
  const sent: OutboundMessage[] = []
  const provider: Provider = {
    name: 'fake',
    send: async (batch) => {
      sent.push(...batch)
      return batch.map(outcome)
    },
  }
  return { sent, providers: { email: provider, sms: provider, whatsapp: provider } }
}
const accept = ({ id }: OutboundMessage): Outcome => ({ kind: 'accepted', providerId: `fake-${id}` })
export const drainAt = (
  now: Date,
  providers: ReturnType<typeof fakeProvider>['providers'],
  runId?: string,
  by = db,
) =>
  drain({
    db: by,
    organizationId: group.id,
    now: () => now,
    signal: new AbortController().signal,
    providers,
    runId,
    sleep: async () => undefined,
  })
