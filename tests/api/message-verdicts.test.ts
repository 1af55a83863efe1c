import { describe, expect, it } from 'vitest'
import { timelineEventSchema } from '@/lib/customers/timeline-schema'
import { tidyUp } from '@/lib/jobs/tidy-up'
import {
  ANA,
  automate,
  BEA,
  claim,
  db,
  enqueue,
  group,
  guest,
  later,
  locationId,
  NOON,
  runs,
  sql,
  statuses,
  suppress,
  ways,
  withOutbox,
} from '../support/outbox'

// Named cases of what tests/sql/verdicts.test.ts draws: whether a message goes, by which channel, from when, and why not.
withOutbox()

const details = async () =>
  Object.fromEntries(
    (
      await sql<{ who: string; detail: object | null }>(
        `select c.first_name as who, m.detail from public.messages m
         join public.customers c on c.id = m.customer_id where m.superseded_at is null`,
      )
    ).map(({ who, detail }) => [who, detail]),
  )

it('goes by the fallback when the address goes while it waits, and back when it is there again', async () => {
  const ana = await guest(ANA)
  await enqueue(await automate({ fallback_channel: 'sms' }))
  await sql('update public.customers set email = null')
  const moved = await claim()
  expect({ ...moved, messages: moved.messages.length }).toMatchObject({ moved: true, ended: [], messages: 0 })
  expect(await ways()).toEqual(['Ana: sms queued'])
  await sql(`update public.customers set email = 'nueva@example.com' where id = $1`, [ana])
  expect((await claim(NOON, 'sms')).moved).toBe(true)
  expect((await claim()).messages.map(({ recipient }) => recipient)).toEqual(['nueva@example.com'])
  expect(await runs()).toEqual([{ status: 'running', processed: 1, sent: 0, skipped: 0, failed: 0 }])
})

it.each([
  ['unsubscribe', 'email suppressed', { suppression: 'unsubscribe' }],
  ['complaint', 'email suppressed', { suppression: 'complaint' }],
  ['manual', 'email suppressed', { suppression: 'manual' }],
  ['bounce', 'sms queued', null],
])('a suppressed address (%s), before or while it waits: %s', async (reason, way, detail) => {
  await guest(ANA)
  await guest(BEA)
  await suppress(ANA.email, reason)
  await enqueue(await automate({ fallback_channel: 'sms' }))
  expect(await ways()).toEqual([`Ana: ${way}`, 'Bea: email queued'])
  await suppress(BEA.email, reason)
  expect((await claim()).messages).toEqual([])
  expect(await ways()).toEqual([`Ana: ${way}`, `Bea: ${way}`])
  expect(await details()).toEqual({ Ana: detail, Bea: detail })
})

it.each([
  ['unsubscribe', 'bounce'],
  ['bounce', 'unsubscribe'],
])(
  'a bounce does not hide an opt-out, and a later yes does not lift the bounce: %s, then %s',
  async (...reasons) => {
    await guest(ANA)
    const address = { p_organization: group.id, p_channel: 'email' }
    for (const p_reason of reasons)
      await db.rpc('suppress_addresses', { ...address, p_addresses: [ANA.email], p_reason }).throwOnError()
    const stored = () => sql('select reason, opt_out from public.suppressions')
    expect(await stored()).toEqual([{ reason: 'bounce', opt_out: 'unsubscribe' }])
    const automation = await automate({ fallback_channel: 'sms' })
    await enqueue(automation)
    expect(await ways()).toEqual(['Ana: email suppressed'])
    expect(await details()).toEqual({ Ana: { suppression: 'bounce', opt_out: 'unsubscribe' } })
    await db
      .rpc('unsuppress_address', { ...address, p_address: ANA.email, p_reasons: ['unsubscribe'] })
      .throwOnError()
    expect(await stored()).toEqual([{ reason: 'bounce', opt_out: null }])
    await enqueue(automation, later(1))
    expect(await ways()).toContain('Ana: sms queued')
  },
)

it('says which message fills the frequency cap, on the guest’s page too', async () => {
  const ana = await guest(ANA)
  await guest(BEA)
  await enqueue(await automate({ name: 'Primera' }))
  const [first] = (await claim(NOON, 'email', 1)).messages
  await sql(`update public.messages set status = 'sent', sent_at = $1 where id = $2`, [NOON, first?.id])
  await enqueue(await automate({ name: 'Segunda' }), later(1))
  const found = await sql<{ id: string; detail: { message: string } }>(
    `select m.id::text, m.detail from public.messages m join public.automations a on a.id = m.automation_id
     where a.name = 'Segunda' and m.reason = 'frequency_cap' order by m.customer_id`,
  )
  const firsts = await sql<{ id: string }>(
    `select m.id::text from public.messages m join public.automations a on a.id = m.automation_id
     where a.name = 'Primera' order by m.customer_id`,
  )
  expect(found.map(({ detail }) => detail.message)).toEqual(firsts.map(({ id }) => id))

  const events = await sql(
    `select kind, id, at, details from public.customer_timeline($1, array['message'])`,
    [ana],
  )
  expect(events.map((event) => timelineEventSchema.parse(event).details)).toMatchObject([
    { reason: 'frequency_cap', filled_by: { name: 'Primera' }, suppression: null, waits_until: null },
    { reason: null, filled_by: null, suppression: null, waits_until: null },
  ])
})

describe('names the message that fills the cap', () => {
  const earlier = (customer: string, key: string, days: number, automation: string | null = null) =>
    sql(
      `insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, channel, recipient, status,
         dedupe_key, created_at, sent_at)
       values ($1, 'marketing', 'birthday', $2, $3, 'email', 'x@example.com', 'sent', $4, $5, $5)`,
      [group.id, automation, customer, key, later(-days * 24 * 60)],
    )
  const fillers = async () =>
    (
      await sql<{ key: string }>(
        `select f.dedupe_key as key from public.messages m
         join public.messages f on f.id = (m.detail ->> 'message')::uuid where m.reason = 'frequency_cap'`,
      )
    ).map(({ key }) => key.split(':')[0])

  it('not one that is older than the period', async () => {
    await earlier(await guest(ANA), 'old', 60)
    await enqueue(await automate({ name: 'Primera' }))
    await enqueue(await automate({ name: 'Segunda' }), later(1))
    expect(await fillers()).toEqual(['vip_reward'])
  })

  it('not the campaign’s own before a follow-up', async () => {
    const ana = await guest(ANA)
    const [first, second] = ['11111111-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000002']
    await sql(
      `insert into public.campaigns (id, organization_id, name, status, started_at, planned_at, rest_planned_at)
       values ($1, $2, 'Otoño', 'sending', $3, $3, $3)`,
      [first, group.id, NOON],
    )
    await sql(
      `insert into public.automations (id, organization_id, name, type, channel, status, campaign_id, step, variant, after_days,
         subject, body)
       values ($1, $3, 'Otoño', 'campaign', 'email', 'active', $1, 1, 'a', null, 'Hola', 'Hola'),
         ($2, $3, 'Otoño', 'campaign', 'email', 'active', $1, 2, 'a', 7, 'Hola', 'Hola')`,
      [first, second, group.id],
    )
    await earlier(ana, 'birthday', 3)
    await earlier(ana, 'own', 1, first)
    const [run] = await sql<{ id: string }>(
      `insert into public.automation_runs (organization_id, automation_id, automation_name, triggered_by, started_at, status,
         planning) values ($1, $2, 'Otoño', 'manual', $3, 'running', false) returning id::text`,
      [group.id, second, NOON],
    )
    await sql(
      `insert into public.messages (organization_id, kind, purpose, automation_id, run_id, customer_id, channel, recipient,
         dedupe_key, not_before, created_at)
       values ($1, 'marketing', 'campaign', $2, $3, $4, 'email', $5, 'campaign:x', $6, $6)`,
      [group.id, second, run?.id, ana, ANA.email, NOON],
    )
    expect((await claim()).messages).toEqual([])
    expect(await fillers()).toEqual(['birthday'])
  })
})

it('waits for the end of the quiet hours of its place, which may have its own', async () => {
  await sql(`update public.locations set quiet_from = '11:00', quiet_until = '13:00' where id = $1`, [
    locationId('Isla'),
  ])
  await guest(ANA)
  await guest({ ...BEA, location_id: locationId('Isla') })
  await enqueue(await automate())
  const until = '2026-11-20T13:00:00+00:00'
  expect(await details()).toEqual({ Ana: null, Bea: { until, location: locationId('Isla') } })
  expect((await claim()).messages.map(({ recipient }) => recipient)).toEqual([ANA.email])

  // The group's end the night: what waits says until when, and not whose they are.
  const night = new Date('2026-11-20T22:00:00Z')
  await sql(`update public.messages set status = 'queued', not_before = $1`, [night])
  expect((await claim(night)).messages.map(({ recipient }) => recipient)).toEqual([BEA.email])
  expect((await details()).Ana).toEqual({ until: '2026-11-21T08:30:00+00:00' })
})

it('a skipped message that ends otherwise later says for 30 days why it had been skipped', async () => {
  await guest({ ...ANA, email: null })
  await guest({ ...BEA, email: null })
  const automation = await automate()
  await enqueue(automation)
  await sql(`update public.customers set email = 'ana@example.com' where first_name = 'Ana'`)
  await enqueue(automation, later(60))
  // The same reason again replaces the row: it says nothing new.
  expect((await statuses()).sort()).toEqual(['Ana: no_address', 'Ana: queued', 'Bea: no_address'])
  const [results] = await sql<{ total: number; skipped: number; pending: number }>(
    `select (r.one -> 'messages' ->> 'total')::integer as total, (r.one -> 'messages' ->> 'skipped')::integer as skipped,
       (r.one -> 'messages' ->> 'pending')::integer as pending
     from (select public.results_of_automation($1, $2, $3, $4) as one) as r`,
    [group.id, automation, later(-60), later(600)],
  )
  expect(results).toEqual({ total: 2, skipped: 1, pending: 1 })
  expect(await runs()).toMatchObject([
    { processed: 2, skipped: 2 },
    { processed: 2, skipped: 1 },
  ])

  const tidy = (days: number) =>
    tidyUp({ db, now: later(60 + days * 24 * 60), signal: new AbortController().signal })
  await tidy(29.9)
  expect(await statuses()).toHaveLength(3)
  await tidy(30.1)
  expect((await statuses()).sort()).toEqual(['Ana: queued', 'Bea: no_address'])
})

it('a reason is one of the list, or Twilio’s or a template’s own', async () => {
  await guest({ ...ANA, email: null })
  await enqueue(await automate())
  const put = (reason: string) => sql('update public.messages set reason = $1', [reason])
  await expect(put('because')).rejects.toThrow('message_reason')
  await expect(put('Mailbox full')).rejects.toThrow('message_reason')
  await put('twilio_30999')
  await put('template_value')
  expect(await statuses()).toEqual(['Ana: template_value'])
})
