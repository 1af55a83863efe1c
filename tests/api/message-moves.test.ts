import { describe, expect, it } from 'vitest'
import { drain } from '@/lib/messaging/drain'
import { createReservation } from '../factories/messaging'
import {
  ANA,
  app,
  automate,
  BEA,
  claim,
  db,
  enqueue,
  fakeProvider,
  frozen,
  group,
  guest,
  later,
  locationId,
  NOON,
  runs,
  sql,
  suppress,
  ways,
  withOutbox,
} from '../support/outbox'

// Messages that change their channel while they wait: none is lost, none goes twice, and none goes round a no.
withOutbox()

const connect = (type: 'twilio' | 'resend', on: boolean) =>
  sql(
    `insert into public.integration_configs (organization_id, integration_type, is_enabled, config)
     values ($1, $2, $3, $4::jsonb)
     on conflict (organization_id, integration_type) do update set is_enabled = excluded.is_enabled`,
    [group.id, type, on, JSON.stringify(type === 'twilio' ? { sms_from: '+34600000000' } : {})],
  )
const CAMPAIGN = '11111111-0000-4000-8000-000000000001'
const WITHOUT_EMAIL = { closed: { email: 'no_provider' } } as const

/** A campaign's message of each version, by e-mail and else by SMS, and its run. */
async function campaign(...versions: string[]): Promise<{ automation: string; run: string }[]> {
  await sql('delete from public.campaigns')
  await sql(
    `insert into public.campaigns (id, organization_id, name, status, started_at, planned_at, rest_planned_at)
     values ($1, $2, 'Campaña', 'sending', $3, $3, $3)`,
    [CAMPAIGN, group.id, NOON],
  )
  return Promise.all(
    versions.map(async (version, n) => {
      const automation = n === 0 ? CAMPAIGN : crypto.randomUUID()
      await sql(
        `insert into public.automations (id, organization_id, name, type, channel, fallback_channel, status, campaign_id,
           step, variant, subject, body)
         values ($1, $2, $3, 'campaign', 'email', 'sms', 'active', $4, 1, $3, 'Hola', 'Hola')`,
        [automation, group.id, version, CAMPAIGN],
      )
      const [run] = await sql<{ id: string }>(
        `insert into public.automation_runs (organization_id, automation_id, automation_name, triggered_by, started_at,
           status) values ($1, $2, 'Campaña', 'manual', $3, 'running') returning id::text`,
        [group.id, automation, NOON],
      )
      return { automation, run: String(run?.id) }
    }),
  )
}
const put = (
  one: { automation: string; run: string } | undefined,
  to: string,
  channel: string,
  address: string,
) =>
  sql(
    `insert into public.messages (organization_id, kind, purpose, automation_id, run_id, customer_id, channel, recipient,
       dedupe_key, not_before, created_at)
     values ($1, 'marketing', 'campaign', $2, $3, $4::uuid, $5, $6, 'campaign:x:' || $4::text, $7, $7)`,
    [group.id, one?.automation, one?.run, to, channel, address, NOON],
  )

describe('one phone gets one message', () => {
  const couple = async () => [await guest(ANA), await guest({ ...BEA, phone: ANA.phone })] as const

  it('of a campaign, whichever versions two guests have', async () => {
    const [a, b] = await campaign('a', 'b')
    const [ana, bea] = await couple()
    await put(a, ana, 'email', ANA.email)
    await put(b, bea, 'email', BEA.email)
    await sql('update public.customers set email = null')
    await claim()
    expect((await claim(NOON, 'sms')).messages.map(({ recipient }) => recipient)).toEqual([ANA.phone])
    expect((await ways()).sort()).toEqual(['Ana: sms sending', 'Bea: email duplicate'])
  })

  it('of a run whose channel loses its provider', async () => {
    const [a] = await campaign('a')
    const [ana, bea] = await couple()
    await put(a, ana, 'email', ANA.email)
    await put(a, bea, 'email', BEA.email)
    expect((await claim(NOON, 'email', 100, WITHOUT_EMAIL)).moved).toBe(true)
    expect((await ways()).sort()).toEqual(['Ana: sms queued', 'Bea: email duplicate'])
  })

  it('but a confirmation for each of their reservations', async () => {
    const [ana, bea] = await couple()
    for (const [customer_id, reservation_date] of [
      [ana, '2026-11-25'],
      [ana, '2026-11-26'],
      [bea, '2026-11-25'],
    ] as const)
      await createReservation(app.stack, group.id, {
        ...{ customer_id, reservation_date },
        location_id: locationId('Norte'),
      })
    const confirmation = { type: 'reservation_confirmation', fallback_channel: 'sms', criteria: {} } as const
    await enqueue(await automate(confirmation))
    await suppress(ANA.email, 'bounce')
    await suppress(BEA.email, 'bounce')
    await claim()
    expect((await claim(NOON, 'sms')).messages).toHaveLength(3)
  })
})

it('a guest who was merged while messages waited gets one, and does not hold up those of others', async () => {
  const [a] = await campaign('a')
  const ana = await guest({ ...ANA, phone: null })
  const bea = await guest({ first_name: 'Bea', phone: BEA.phone })
  const other = await guest({ first_name: 'Eva', email: 'eva@example.com', phone: '+34600000003' })
  await put(a, ana, 'email', ANA.email)
  await put(a, bea, 'sms', BEA.phone)
  await put(a, other, 'email', 'eva@example.com')
  const boss = await group.person('super_admin')
  await boss.db.rpc('merge_customers', { p_id: ana, p_duplicate_id: bea }).throwOnError()
  await claim(NOON, 'email', 100, WITHOUT_EMAIL)
  expect((await ways()).sort()).toEqual(['Ana: sms queued', 'Eva: sms queued', 'null: sms merged'])
})

describe('a no is not forgotten', () => {
  it('with the address to which it was said while the message waited', async () => {
    await guest(ANA)
    await enqueue(await automate({ fallback_channel: 'sms' }))
    await suppress(ANA.email, 'complaint')
    await sql('update public.customers set email = null')
    await claim()
    expect(await ways()).toEqual(['Ana: email suppressed'])
  })

  it('when staff say it of an address that bounced, and their note stays', async () => {
    const ana = await guest(ANA)
    await suppress(ANA.email, 'bounce')
    await sql(`select private.record_consent($1, '{"email": {"opted_out": true, "reason": "Llamó"}}')`, [ana])
    expect(await sql('select reason, opt_out, note from public.suppressions')).toEqual([
      { reason: 'bounce', opt_out: 'manual', note: 'Llamó' },
    ])
    await enqueue(await automate({ fallback_channel: 'sms' }))
    expect(await ways()).toEqual(['Ana: email suppressed'])
  })

  it('until a START from the number, which does not lift the bounce', async () => {
    await guest(ANA)
    const wish = (p_wish: string) =>
      db
        .rpc('record_inbound', {
          ...{ p_organization: group.id, p_channel: 'sms', p_phone: ANA.phone, p_wish },
          p_at: NOON.toISOString(),
        })
        .throwOnError()
    const stored = () => sql(`select reason, opt_out from public.suppressions where channel = 'sms'`)
    await suppress(ANA.phone, 'bounce', 'sms')
    await wish('stop')
    expect(await stored()).toEqual([{ reason: 'bounce', opt_out: 'stop' }])
    await wish('start')
    expect(await stored()).toEqual([{ reason: 'bounce', opt_out: null }])
    await enqueue(await automate({ channel: 'sms', fallback_channel: 'email' }))
    expect(await ways()).toEqual(['Ana: email queued'])
  })
})

describe('a campaign waits for a guest whom only the lost channel reaches', () => {
  it.each([
    ['sms', 'email', 'bounce'],
    ['email', 'sms', 'stop'],
  ] as const)('%s is lost, and the %s address is suppressed (%s)', async (lost, other, reason) => {
    const address = { email: ANA.email, sms: ANA.phone }
    const [a] = await campaign('a')
    await put(a, await guest(ANA), lost, address[lost])
    await suppress(address[other], reason, other)
    await claim(NOON, lost, 100, { closed: { [lost]: 'no_provider' } })
    expect(await ways()).toEqual([`Ana: ${lost} queued`])
    expect(await runs()).toMatchObject([{ status: 'paused', skipped: 0 }])
  })
})

describe('a drain', () => {
  const drained = (providers: object) =>
    drain({
      ...{ db, organizationId: group.id, now: () => NOON, providers },
      signal: new AbortController().signal,
      sleep: async () => undefined,
    })
  const integrations = (fake: ReturnType<typeof fakeProvider>, ...channels: ('email' | 'sms')[]) =>
    Object.fromEntries(
      channels.map((channel) => [channel, { ...fake.providers[channel], isIntegration: true }]),
    )

  it('sends by the other channel when an integration is switched off under way', async () => {
    for (let n = 0; n < 30; n++)
      await guest({ first_name: 'G', email: `g${n}@example.com`, phone: `+3460000${1000 + n}` })
    await connect('twilio', true)
    await connect('resend', true)
    await enqueue(await automate({ fallback_channel: 'sms' }))
    const fake = fakeProvider()
    const providers = integrations(fake, 'email', 'sms')
    await connect('resend', false)
    expect(await drained(providers)).toMatchObject([{ sent: 30 }])
    expect(new Set(fake.sent.map(({ channel }) => channel))).toEqual(new Set(['sms']))
  })

  it('sends by the other channel when the stored secrets of an integration cannot be read', async () => {
    await guest(ANA)
    await connect('twilio', true)
    await connect('resend', true)
    await enqueue(await automate({ fallback_channel: 'sms' }))
    const fake = fakeProvider()
    await drained(integrations(fake, 'sms'))
    expect(fake.sent.map(({ channel }) => channel)).toEqual(['sms'])
  })
})

it('nothing is sent again under a key that the provider has forgotten', async () => {
  await guest(ANA)
  await enqueue(await automate())
  const batch = await claim()
  await db.rpc('freeze_messages', { p_contents: frozen(batch), p_now: NOON.toISOString() }).throwOnError()
  await sql(
    `update public.messages set status = 'queued', maybe_accepted = true, lease_token = null, lease_until = null`,
  )
  expect((await claim(later(22 * 60))).messages).toHaveLength(1)
  await sql(`update public.messages set status = 'queued', lease_token = null, lease_until = null`)
  expect((await claim(later(24 * 60))).messages).toEqual([])
  expect(await sql('select status, reason from public.messages')).toEqual([
    { status: 'unknown', reason: 'too_late' },
  ])
})
