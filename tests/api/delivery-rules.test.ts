import { describe, expect, it } from 'vitest'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'
import { receiveFromResend } from '@/lib/webhooks/resend'
import { createGroup } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { signed } from '../fakes/resend/server'
import {
  app,
  automate,
  bySms,
  group,
  guest,
  guests,
  later,
  NOON,
  phones,
  resend,
  runAt,
  service,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

withDelivery()

const clean = () => sql(emptyTables('customers'))
/** Drains with a clock that only waiting moves; returns how long was waited for (ms). */
async function drainFrom(start = NOON, pace?: number) {
  let at = start.getTime()
  const waits: number[] = []
  const providers = await providersFor(service(), group.id)
  if (pace && providers.sms) providers.sms = { ...providers.sms, pace }
  await drain({
    db: service(),
    organizationId: group.id,
    now: () => new Date(at),
    signal: new AbortController().signal,
    providers,
    sleep: async (ms) => {
      waits.push(ms)
      at += ms
    },
  })
  return waits
}
async function enqueue(automation: string, now = NOON) {
  const parameters = { p_organization: group.id, p_automation: automation, p_triggered_by: 'manual' }
  await service()
    .rpc('enqueue_run', { ...parameters, p_now: now.toISOString() })
    .throwOnError()
}
const holds = () => sql('select channel, reason, next_at from public.channel_pace order by channel')

describe('who sends', () => {
  it('is the sandbox for a channel that has no provider, and the provider of the organization alone', async () => {
    await clean()
    await guest({ first_name: 'Ana', phone: '+34600000001', email: 'ana@example.com' })
    await sql(`update public.integration_configs set is_enabled = false where integration_type = 'twilio'`)
    await bySms()
    await automate({ type: 'vip_reward', criteria: { min_spend: 100 } })
    await runAt()
    const sent = await sql('select channel, provider from public.messages order by channel')
    expect(sent).toEqual([
      { channel: 'email', provider: 'resend' },
      { channel: 'sms', provider: 'sandbox' },
    ])
    expect([twilio.requests.length, resend.accepted.length]).toEqual([0, 1])
    const other = await createGroup(app.stack, 'Otra Entrega')
    const own = `whsec_${Buffer.from('another').toString('base64')}`
    await connect(app.stack, other.id, 'resend', { ...RESEND, webhook_secret: own })
    const providers = await providersFor(service(), other.id)
    expect(Object.values(providers).map(({ name }) => name)).toEqual(['sandbox', 'sandbox', 'resend'])
  })
})

describe('no customer gets two messages', () => {
  it('when jobs overlap, a run is repeated at once, or both', async () => {
    await clean()
    await guests(60)
    const id = await bySms()
    twilio.setFault({ kind: 'slow', ms: 20 })
    await Promise.all([runAt(), enqueue(id), runAt(), enqueue(id), drainFrom(), drainFrom()])
    await runAt(later(10))
    expect(phones()).toHaveLength(60)
    expect(new Set(phones()).size).toBe(60)
    expect(await tally()).toEqual(['sent 60'])
  })
})

describe('a channel’s pace', () => {
  it('spreads messages over time, across all senders', async () => {
    await clean()
    await guests(25)
    await enqueue(await bySms())
    const waits = await drainFrom(NOON, 10)
    expect(twilio.accepted).toHaveLength(25)
    // 10 at once, 10 a second later, 5 another second later; then half a second is owed.
    expect(waits).toEqual([1000, 1000])
    expect(await holds()).toMatchObject([{ channel: 'sms', reason: null }])
    await guest({ phone: '+34600000099' })
    await enqueue(await bySms(), later(0.05))
    await sql(`update public.messages set not_before = $1 where status = 'queued'`, [NOON])
    expect((await drainFrom(new Date(NOON.getTime() + 2100), 10))[0]).toBe(400)
  })

  it('waits as a whole when the provider asks for time, and goes on after it', async () => {
    await clean()
    await guests(50)
    await enqueue(await bySms())
    twilio.setFault({ kind: 'rate_limit', retryAfter: 300 })
    await drainFrom()
    const tried = twilio.requests.length
    // Two batches were under way.
    expect(tried).toBeLessThanOrEqual(8)
    expect(await holds()).toMatchObject([{ channel: 'sms', reason: 'provider_rate_limit' }])
    twilio.setFault(null)
    await drainFrom(later(3.9))
    expect(twilio.requests).toHaveLength(tried)
    await drainFrom(later(5.1))
    expect(twilio.accepted).toHaveLength(50)
    expect(await tally()).toEqual(['sent 50'])
  })

  it('waits with it when that is soon', async () => {
    await clean()
    await guests(3)
    await enqueue(await bySms())
    twilio.setFault({ kind: 'rate_limit', retryAfter: 20, times: 3 })
    expect((await drainFrom()).length).toBeGreaterThan(0)
    expect(twilio.accepted).toHaveLength(3)
  })

  it('is forgotten with new credentials', async () => {
    await clean()
    await guests(1)
    await enqueue(await bySms())
    twilio.setFault({ kind: 'rate_limit', retryAfter: 300 })
    await drainFrom()
    expect(await holds()).toHaveLength(1)
    await connect(app.stack, group.id, 'twilio', TWILIO)
    expect(await holds()).toEqual([])
  })

  it('keeps what was held back from using up its attempts', async () => {
    await clean()
    await guests(40)
    await enqueue(await bySms())
    twilio.setFault({ kind: 'error_before' })
    await drainFrom()
    const lost = twilio.requests.length
    expect(lost).toBeLessThanOrEqual(5)
    const rows = await sql(
      'select status, attempts, count(*)::int as n from public.messages group by 1, 2 order by 1',
    )
    expect(rows).toEqual([
      { status: 'queued', attempts: 0, n: 40 - lost },
      { status: 'unknown', attempts: 1, n: lost },
    ])
  })
})

describe('an SMS', () => {
  it('goes to mobiles alone: a landline has the fallback, or none', async () => {
    await clean()
    await guest({ phone: '+34600000001' })
    await guest({ phone: '+34915551234' })
    await guest({ phone: '+33145678901' })
    // A number of America may be of either kind.
    await guest({ phone: '+12125551234' })
    const id = await bySms()
    const { body } = await signedIn(await group.person('marketing'))
      .then((client) => client.request('GET', `/api/automations/${id}/preview`))
      .then(answer)
    expect(body.data).toMatchObject({ matched: 4, to_send: 2, skipped: { not_mobile: 2 } })
    await runAt()
    expect(phones()).toEqual(['+12125551234', '+34600000001'])
    expect(await tally()).toEqual(['sent 2', 'skipped not_mobile 2'])
  })

  it('to a landline gives way to the fallback channel, also when the phone became one since it was planned', async () => {
    await clean()
    const [one, other] = [await guest({ phone: '+34600000001', email: 'ana@example.com' }), '+34600000002']
    await guest({ phone: other })
    await guest({ phone: '+34815551234', email: 'luis@example.com' })
    await enqueue(await bySms({ fallback_channel: 'email', subject: 'Hola' }))
    await sql(`update public.customers set phone = '+34915551234' where id = $1`, [one])
    await sql(`update public.customers set phone = '+34915550000' where phone = $1`, [other])
    await drainFrom()
    expect(phones()).toEqual([])
    expect(resend.accepted.map(({ email }) => email.to).sort()).toEqual([
      'ana@example.com',
      'luis@example.com',
    ])
    expect(await tally()).toEqual(['sent 2', 'skipped not_mobile 1'])
  })

  it('that nobody allowed is skipped for that, and not for the landline', async () => {
    await clean()
    await guest({ phone: '+34915551234', consents: {}, total_visits: 0 })
    await bySms()
    await runAt()
    expect(await tally()).toEqual(['skipped no_consent 1'])
  })

  it('is not needed where WhatsApp serves a landline', async () => {
    await clean()
    await guest({ phone: '+34915551234' })
    await bySms({ channel: 'whatsapp', content_sid: `HX${'1'.repeat(32)}` })
    await runAt()
    expect(phones()).toEqual(['+34915551234'])
  })
})

describe('WhatsApp', () => {
  const free = {
    type: 'vip_reward',
    criteria: { min_spend: 100 },
    channel: 'whatsapp',
    body: 'Hola',
  } as const
  const wrote = (address: string, at: Date) =>
    sql('insert into public.whatsapp_windows values ($1, $2, $3)', [group.id, address, at])

  it('says free words only to who has written within 24 hours', async () => {
    await clean()
    await guest({ phone: '+34600000001' })
    await guest({ phone: '+34600000002' })
    await guest({ phone: '+34600000003' })
    await wrote('+34600000001', later(-60 * 24 + 5))
    await wrote('+34600000002', later(-60 * 24))
    await automate(free)
    await runAt()
    expect(phones()).toEqual(['+34600000001'])
    expect(await tally()).toEqual(['sent 1', 'skipped needs_template 2'])
  })

  it('looks again when it sends', async () => {
    await clean()
    await guest({ phone: '+34600000001' })
    await wrote('+34600000001', later(-60 * 24 + 5))
    await enqueue(await automate(free))
    await drainFrom(later(6))
    expect(await tally()).toEqual(['skipped needs_template 1'])
    expect(twilio.requests).toEqual([])
  })

  it('gives way to the fallback channel', async () => {
    await clean()
    await guest({ phone: '+34600000001', email: 'ana@example.com' })
    await automate({ ...free, fallback_channel: 'email' })
    await runAt()
    expect(resend.accepted.map(({ email }) => email.to)).toEqual(['ana@example.com'])
  })

  it('needs no window with a template', async () => {
    await clean()
    await guest({ phone: '+34600000001' })
    await automate({ ...free, content_sid: `HX${'1'.repeat(32)}` })
    await runAt()
    expect(twilio.accepted[0]?.form).toMatchObject({ ContentSid: `HX${'1'.repeat(32)}` })
  })
})

describe('what a provider rejects', () => {
  it.each([
    [21211, 'invalid_number', ['sms bounce']],
    // A no to the number, which is one address for both.
    [21610, 'unsubscribed', ['sms stop', 'whatsapp stop']],
  ])('with %i (%s) is not written to again: %s', async (code, reason, suppressions) => {
    await clean()
    await guest({ phone: '+34600000001' })
    const automation = await bySms()
    twilio.setFault({ kind: 'reject', status: 400, code })
    await runAt()
    expect(await tally()).toEqual([`failed ${reason} 1`])
    const stored = await sql<{ line: string }>(
      `select channel || ' ' || reason as line from public.suppressions where address = '+34600000001' order by 1`,
    )
    expect(stored.map(({ line }) => line)).toEqual(suppressions)
    await enqueue(automation, later(60 * 24 * 61))
    expect(await tally()).toEqual([`failed ${reason} 1`, 'skipped suppressed 1'])
  })

  it('has failed for good, and is not written to again after a hard bounce', async () => {
    await clean()
    await guest({ email: 'ana@example.com' })
    await guest({ phone: '+34600000001' })
    await bySms()
    const mails = await automate({ type: 'vip_reward', criteria: { min_spend: 100 } })
    twilio.setFault({ kind: 'reject', status: 400, code: 21211 })
    await runAt()
    expect(await tally()).toContain('failed invalid_number 1')
    const [mail] = resend.accepted
    const event = {
      type: 'email.bounced',
      created_at: new Date().toISOString(),
      data: { email_id: mail?.id, to: ['ana@example.com'], bounce: { type: 'Permanent' } },
    }
    const body = JSON.stringify(event)
    const headers = signed(body, RESEND.webhook_secret, new Date())
    await receiveFromResend(
      new Request('https://crm.example/api/webhooks/resend', { method: 'POST', headers, body }),
    )
    await enqueue(mails, later(60 * 24 * 61))
    expect(await tally()).toEqual(
      expect.arrayContaining(['failed bounced 1', 'failed invalid_number 1', 'skipped suppressed 1']),
    )
  })
})
