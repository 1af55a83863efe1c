import { beforeEach, describe, expect, it } from 'vitest'
import { drain } from '@/lib/messaging/drain'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { DECLARED } from '../factories/messaging'
import { draft, first, launch, move, second, stored, tick } from '../support/campaigns'
import { emptyTables } from '../support/empty-tables'
import {
  ANA,
  app,
  automate,
  claim,
  db,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  later,
  NOON,
  sql,
  withOutbox,
} from '../support/outbox'

withOutbox()
beforeEach(async () => {
  await sql(emptyTables('campaigns', 'segments', 'automations'))
  await sql(
    'update public.organizations set frequency_cap_days = 0, campaign_approve_above = null, sending_stopped_at = null',
  )
  await connect(app.stack, group.id, 'twilio', TWILIO)
  await connect(app.stack, group.id, 'resend', RESEND)
})

const NIGHT = new Date('2026-11-20T22:00:00Z')
const MORNING = new Date('2026-11-21T09:00:00Z')
/** Has no e-mail. */
const CARLA = { first_name: 'Carla', phone: '+34600000003' }
const bySms = { ...first, channel: 'sms', fallback_channel: 'email' }

const off = () =>
  sql(`update public.integration_configs set is_enabled = false where integration_type = 'twilio'`)
/** Providers as the app has them while that of SMS is switched off. */
const withoutSms = () => {
  const { sent, providers } = fakeProvider()
  return { sent, providers: { email: providers.email } as typeof providers }
}
const channels = async () =>
  (
    await sql<{ line: string }>(
      `select format('%s %s %s', c.first_name, m.channel, coalesce(m.reason, m.status)) as line
       from public.messages m join public.customers c on c.id = m.customer_id order by 1`,
    )
  ).map(({ line }) => line)

/** A campaign by SMS, else by e-mail, whose messages wait for the morning. */
async function waitingForMorning() {
  const id = await draft({ messages: [bySms] })
  await launch(id)
  expect(await tick(id, NIGHT)).toEqual([])
  return id
}

describe('a campaign with a fallback channel whose provider is switched off', () => {
  it('keeps its messages while it is paused', async () => {
    await guest(ANA)
    await guest(CARLA)
    const id = await waitingForMorning()
    expect(await move(id, 'pause')).toBe('done')
    await off()
    await tick(id, MORNING, withoutSms())
    expect(await channels()).toEqual(['Ana sms queued', 'Carla sms queued'])
    await connect(app.stack, group.id, 'twilio', TWILIO)
    expect(await move(id, 'resume')).toBe('done')
    expect((await tick(id, MORNING)).sort()).toEqual(['+34600000001 Uno', '+34600000003 Uno'])
    expect(await stored(id)).toMatchObject({ status: 'finished' })
  })

  it('pauses for a guest whom the other channel does not reach, and loses nobody', async () => {
    await guest(ANA)
    await guest(CARLA)
    const id = await waitingForMorning()
    await off()
    expect(await tick(id, MORNING, withoutSms())).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'no_provider' })
    expect(await channels()).toEqual(['Ana sms queued', 'Carla sms queued'])
    await connect(app.stack, group.id, 'twilio', TWILIO)
    expect(await move(id, 'resume')).toBe('done')
    expect((await tick(id, MORNING)).sort()).toEqual(['+34600000001 Uno', '+34600000003 Uno'])
  })

  it('goes on by the other channel when that reaches all', async () => {
    await guest(ANA)
    const id = await waitingForMorning()
    await off()
    expect(await tick(id, MORNING, withoutSms())).toEqual(['ana@example.com Uno'])
    expect(await stored(id)).toMatchObject({ status: 'finished' })
  })

  it('is not planned before it is back: who is skipped once would never be tried again', async () => {
    await guest(ANA)
    await guest(CARLA)
    const id = await draft({ messages: [bySms] })
    await launch(id)
    expect(await tick(id, NOON, withoutSms())).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'no_provider' })
    expect(await move(id, 'resume')).toBe('done')
    expect((await tick(id, NOON)).sort()).toEqual(['+34600000001 Uno', '+34600000003 Uno'])
  })

  it('waits with a follow-up when that is due, not before', async () => {
    await guest(ANA)
    await guest(CARLA)
    const id = await draft({ messages: [bySms, { ...bySms, step: 2, after_days: 2, body: 'Paso 2' }] })
    await launch(id)
    expect(await tick(id, NOON)).toHaveLength(2)
    expect(await tick(id, later(24 * 60), withoutSms())).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'sending' })
    const due = later(2 * 24 * 60)
    expect(await tick(id, due, withoutSms())).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'no_provider' })
    expect(await move(id, 'resume', due)).toBe('done')
    expect((await tick(id, due)).sort()).toEqual(['+34600000001 Paso 2', '+34600000003 Paso 2'])
  })
})

describe('a test whose figures cannot be had', () => {
  const days = (count: number) => later(count * 24 * 60)

  /** Two days of a campaign with a test while scoring fails. */
  async function unscored(test_share: number) {
    await guest(ANA)
    const test = { test_share, winner_by: 'visits', test_hours: 24 }
    const id = await draft({ ...test, messages: [first, second] })
    await launch(id)
    await tick(id, NOON)
    await sql('alter function public.campaign_score(uuid, uuid, uuid[]) rename to no_score')
    try {
      await tick(id, days(1)).catch(() => undefined)
      await tick(id, days(2)).catch(() => undefined)
    } finally {
      await sql('alter function public.no_score(uuid, uuid, uuid[]) rename to campaign_score')
    }
    return id
  }

  it('ends without a winner when all guests were in it', async () => {
    expect(await stored(await unscored(100))).toMatchObject({ status: 'finished', winner: null })
  })

  it('waits for them when the remainder waits for its winner', async () => {
    const id = await unscored(10)
    expect(await stored(id)).toMatchObject({ status: 'sending', winner: null })
    await tick(id, days(3))
    expect(await stored(id)).toMatchObject({ status: 'finished', winner: 'a' })
  })
})

describe('a channel without a provider', () => {
  it('hands over a long queue in parts', async () => {
    await sql(
      `insert into public.customers (organization_id, first_name, email, phone, total_spend, total_visits, consents)
       select $1, 'g' || n, 'g' || n || '@example.com', '+346' || 10000000 + n, 500, 1, $2 from generate_series(1, 5010) n`,
      [group.id, JSON.stringify(DECLARED)],
    )
    const { run_id } = await enqueue(await automate({ channel: 'sms', fallback_channel: 'email' }))
    await off()
    const moved = async () =>
      (await sql<{ n: number }>(`select count(*)::int as n from public.messages where channel = 'email'`))[0]
        ?.n
    expect(await claim(NOON, 'sms', 0, { closed: { sms: 'no_provider' } })).toMatchObject({
      examined: 0,
      more: true,
    })
    expect(await moved()).toBe(5000)
    expect(await claim(NOON, 'sms', 0, { closed: { sms: 'no_provider' } })).toMatchObject({
      examined: 0,
      more: false,
    })
    expect(await moved()).toBe(5010)
    // And the outbox does so by itself.
    await sql(`update public.messages set channel = 'sms'`)
    const { providers } = withoutSms()
    const signal = new AbortController().signal
    // SMS alone: nothing here asks whether the e-mails go out.
    await drain({
      ...{ db, organizationId: group.id, now: () => NOON, signal, providers },
      ...{ runId: run_id, channels: ['sms'] },
    })
    expect(await moved()).toBe(5010)
  })

  it('does not keep the others from sending when it fails', async () => {
    await guest(ANA)
    await enqueue(await automate())
    const { sent, providers } = withoutSms()
    const failing: typeof db = Object.create(db, {
      rpc: {
        value: (name: string, given: { p_channel?: string }) =>
          given.p_channel === 'sms'
            ? Promise.reject(new Error('no answer'))
            : db.rpc(name as never, given as never),
      },
    })
    await expect(drainAt(NOON, providers, undefined, failing)).rejects.toThrow('no answer')
    expect(sent).toMatchObject([{ recipient: 'ana@example.com' }])
  })
})
