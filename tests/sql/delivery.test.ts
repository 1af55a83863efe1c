import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, stackClient } from '../factories/group'
import { emptyTables } from '../support/empty-tables'
import type { Stack } from '../support/stack'
import { startRlsStack } from './support'

let stack: Stack
let group: Group
let other: Group
let service: ReturnType<typeof stackClient>

beforeAll(async () => {
  stack = await startRlsStack()
  service = stackClient(stack, 'service')
  group = await createGroup(stack, 'Norte')
  other = await createGroup(stack, 'Sur')
})
afterEach(async () => {
  await stack.sql(emptyTables('messages', 'suppressions', 'whatsapp_windows'))
})
afterAll(() => stack?.close())

const AT = '2026-11-20T11:00:00+00:00'

async function message(row: Record<string, unknown>, owner = group): Promise<string> {
  const usual = {
    channel: 'sms',
    kind: 'marketing',
    purpose: 'post_visit',
    attempts: 1,
    dedupe_key: crypto.randomUUID(),
  }
  const [made] = await stack.sql<{ id: string }>(
    `insert into public.messages (organization_id, kind, purpose, channel, status, attempts, dedupe_key, provider, provider_id)
     select $1, kind, purpose, channel, status, attempts, dedupe_key, provider, provider_id
     from jsonb_populate_record(null::public.messages, $2::jsonb) returning id::text`,
    [owner.id, JSON.stringify({ ...usual, ...row })],
  )
  return made?.id ?? ''
}

async function record(report: Record<string, unknown>): Promise<unknown> {
  const parameters = {
    p_organization: group.id,
    p_provider: 'twilio',
    p_provider_id: 'SM1',
    p_message: null as unknown as string,
    p_status: 'delivered',
    p_at: AT,
  }
  return (await service.rpc('record_delivery', { ...parameters, ...report }).throwOnError()).data
}

const row = async () =>
  (
    await stack.sql<Record<string, unknown>>(
      `select status, reason, provider, provider_id, sent_at is not null as sent, delivered_at is not null as delivered,
         xmin::text as version from public.messages`,
    )
  )[0]

describe('record_delivery', () => {
  const FORWARD: [string, string[]][] = [
    ['queued', ['sent', 'delivered', 'failed']],
    ['sending', ['sent', 'delivered', 'failed']],
    ['unknown', ['sent', 'delivered', 'failed']],
    ['sent', ['delivered', 'failed']],
    ['delivered', []],
    ['failed', []],
    ['skipped', []],
  ]

  it.each(FORWARD)('moves a message that is %s to %j and nowhere else', async (status, next) => {
    for (const wanted of ['sent', 'delivered', 'failed', 'queued', 'skipped', 'nonsense']) {
      await stack.sql(emptyTables('messages'))
      await message({ status, provider: 'twilio', provider_id: 'SM1' })
      const before = await row()
      const moved = next.includes(wanted)
      const outcome = await record({ p_status: wanted, p_reason: 'unreachable' })
      const known = ['sent', 'delivered', 'failed'].includes(wanted)
      expect([wanted, outcome]).toEqual([wanted, moved ? 'recorded' : known ? 'unchanged' : 'ignored'])
      const after = await row()
      expect(after?.status).toBe(moved ? wanted : status)
      if (moved) expect(after?.reason).toBe(wanted === 'failed' ? 'unreachable' : null)
      else expect(after).toEqual(before)
      // The same again changes no row.
      await record({ p_status: wanted, p_reason: 'unreachable' })
      expect(await row()).toEqual(after)
    }
  })

  it('keeps when it went and arrived', async () => {
    await message({ status: 'unknown', provider: 'twilio', provider_id: 'SM1' })
    await record({ p_status: 'sent' })
    expect(await row()).toMatchObject({ sent: true, delivered: false })
    await record({ p_status: 'delivered' })
    expect(await row()).toMatchObject({ sent: true, delivered: true })
  })

  it('finds by our id what the provider’s was never stored of, once tried', async () => {
    const id = await message({ status: 'unknown' })
    expect(await record({ p_message: id })).toBe('recorded')
    expect(await row()).toMatchObject({ status: 'delivered', provider: 'twilio', provider_id: 'SM1' })
    expect(await record({ p_message: id, p_provider_id: 'SM2' })).toBe('unknown')
    await stack.sql(emptyTables('messages'))
    const untried = await message({ status: 'queued', attempts: 0 })
    expect(await record({ p_message: untried })).toBe('unknown')
  })

  it('takes no report of the other provider, nor of another organization', async () => {
    const byTwilio = await message({ status: 'unknown' })
    expect(await record({ p_message: byTwilio, p_provider: 'resend' })).toBe('unknown')
    expect(await record({ p_message: byTwilio, p_organization: other.id })).toBe('unknown')
    await stack.sql(emptyTables('messages'))
    await message({ status: 'sent', provider: 'twilio', provider_id: 'SM1' })
    expect(await record({ p_organization: other.id })).toBe('unknown')
    expect(await record({ p_provider: 'resend' })).toBe('unknown')
    expect(await row()).toMatchObject({ status: 'sent' })
  })
})

describe('suppressions', () => {
  const suppress = async (reason: string, ...addresses: string[]) =>
    (
      await service
        .rpc('suppress_addresses', {
          p_organization: group.id,
          p_channel: 'email',
          p_addresses: addresses,
          p_reason: reason,
        })
        .throwOnError()
    ).data
  const release = async (...reasons: string[]) =>
    (
      await service
        .rpc('unsuppress_address', {
          p_organization: group.id,
          p_channel: 'email',
          p_address: 'ana@example.com',
          p_reasons: reasons,
        })
        .throwOnError()
    ).data
  const reasons = () =>
    stack.sql('select address, reason from public.suppressions order by address').then((rows) => rows)

  it('keep the strongest reason, and change nothing when repeated', async () => {
    expect(await suppress('unsubscribe', 'ana@example.com', 'ana@example.com', 'bea@example.com')).toBe(2)
    expect(await suppress('unsubscribe', 'ana@example.com')).toBe(0)
    for (const reason of ['stop', 'manual', 'bounce', 'complaint'])
      expect(await suppress(reason, 'ana@example.com')).toBe(1)
    for (const reason of ['unsubscribe', 'stop', 'manual', 'bounce'])
      expect(await suppress(reason, 'ana@example.com')).toBe(0)
    expect(await reasons()).toEqual([
      { address: 'ana@example.com', reason: 'complaint' },
      { address: 'bea@example.com', reason: 'unsubscribe' },
    ])
  })

  it('end only for the reasons given', async () => {
    await suppress('bounce', 'ana@example.com')
    expect(await release('stop', 'unsubscribe')).toBe(false)
    expect(await release('bounce')).toBe(true)
    expect(await reasons()).toEqual([])
  })
})

it('the WhatsApp window counts from the latest message, and other channels open none', async () => {
  const inbound = async (channel: string, at: string) =>
    service
      .rpc('record_inbound', {
        p_organization: group.id,
        p_channel: channel,
        p_phone: '+34600000001',
        p_at: at,
      })
      .throwOnError()
  await inbound('sms', AT)
  expect(await stack.sql('select 1 from public.whatsapp_windows')).toEqual([])
  await inbound('whatsapp', AT)
  await inbound('whatsapp', '2026-11-19T11:00:00Z')
  const [window] = await stack.sql('select last_inbound_at = $1 as latest from public.whatsapp_windows', [AT])
  expect(window).toEqual({ latest: true })
})
