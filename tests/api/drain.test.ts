import { describe, expect, it } from 'vitest'
import { drain } from '@/lib/messaging/drain'
import type { Provider } from '@/lib/messaging/provider'
import { finishMessages, freezeMessages, sweepLeases } from '@/lib/messaging/queue'
import {
  ANA,
  automate,
  BEA,
  claim,
  db,
  drainAt,
  enqueue,
  fakeProvider,
  frozen,
  group,
  guest,
  later,
  messages,
  NOON,
  opensWindow,
  runs,
  sql,
  statuses,
  withOutbox,
} from '../support/outbox'

withOutbox()

describe('leases', () => {
  it('only who holds the lease may freeze and finish', async () => {
    await guest(ANA)
    await enqueue(await automate())
    const [mine] = frozen(await claim())
    const forged = { ...mine, lease_token: crypto.randomUUID() } as NonNullable<typeof mine>
    expect(await freezeMessages(db, [forged], NOON)).toEqual(new Set())
    expect(await finishMessages(db, [{ ...forged, outcome: 'sent' }], NOON)).toBe(0)
    expect(await freezeMessages(db, [mine as typeof forged], later(2))).toEqual(new Set())
    expect(await freezeMessages(db, [mine as typeof forged], NOON)).toEqual(new Set([mine?.id]))
    expect(await finishMessages(db, [{ ...(mine as typeof forged), outcome: 'sent' }], NOON)).toBe(1)
    expect(await finishMessages(db, [{ ...(mine as typeof forged), outcome: 'failed' }], NOON)).toBe(0)
    expect(await statuses()).toEqual(['Ana: sent'])
    expect(await runs()).toMatchObject([{ status: 'finished', processed: 1, sent: 1 }])
  })

  it.each(['email', 'sms'] as const)(
    'a process that died before sending %s loses nothing',
    async (channel) => {
      await guest(ANA)
      await enqueue(await automate({ channel }))
      const [lost] = frozen(await claim(NOON, channel))
      await sweepLeases(db, later(0.5))
      expect(await statuses()).toEqual(['Ana: sending'])
      await sweepLeases(db, later(2))
      expect(await statuses()).toEqual(['Ana: queued'])
      expect(await freezeMessages(db, [lost as NonNullable<typeof lost>], later(2))).toEqual(new Set())
      expect((await claim(later(2), channel)).messages).toHaveLength(1)
    },
  )

  it('an e-mail a dead process may have sent goes again as it was, within 23 hours', async () => {
    await guest(ANA)
    await enqueue(await automate())
    await freezeMessages(db, frozen(await claim()), NOON)
    await sweepLeases(db, later(2))
    const [again] = (await claim(later(2))).messages
    expect(again).toMatchObject({
      frozen: true,
      content: { body: 'Hola' },
      idempotency_key: `message-${again?.id}`,
    })
    await sweepLeases(db, later(60 * 23))
    expect(await statuses()).toEqual(['Ana: lease_expired'])
    expect(await runs()).toMatchObject([{ status: 'finished', failed: 1 }])
  })

  it('an SMS a dead process may have sent is unknown and stays so, unless that process still reports', async () => {
    await guest(ANA)
    await enqueue(await automate({ channel: 'sms' }))
    const [lost] = frozen(await claim(NOON, 'sms'))
    await freezeMessages(db, [lost as NonNullable<typeof lost>], NOON)
    await sweepLeases(db, later(2))
    expect(await messages()).toMatchObject([{ status: 'unknown', reason: 'lease_expired' }])
    expect((await claim(later(60 * 24), 'sms')).examined).toBe(0)
    const late = { ...(lost as NonNullable<typeof lost>), outcome: 'sent' as const, provider_id: 'SM1' }
    expect(await finishMessages(db, [late], later(3))).toBe(1)
    expect(await messages()).toMatchObject([{ status: 'sent', reason: null }])
    expect(await runs()).toMatchObject([{ status: 'finished', sent: 1, failed: 0 }])
  })
})

describe('draining', () => {
  it('fails the messages of a template that cannot be read, and sends the others', async () => {
    await guest({ ...ANA, tags: ['a'] })
    await guest({ ...BEA, tags: ['b'] })
    const broken = await automate({ name: 'Rota', tags: ['a'] })
    await enqueue(broken)
    await enqueue(await automate({ name: 'Sana', tags: ['b'] }))
    await sql(`update public.automations set content_variables = '{"1": 7}' where id = $1`, [broken])
    const { sent, providers } = fakeProvider()
    await drainAt(NOON, providers)
    expect(sent).toMatchObject([{ recipient: 'bea@example.com' }])
    expect((await statuses()).sort()).toEqual(['Ana: template_invalid', 'Bea: sent'])
  })

  it('renders, freezes, sends and records', async () => {
    await guest(ANA)
    const { run_id } = await enqueue(await automate())
    const { sent, providers } = fakeProvider()
    await drainAt(NOON, providers, run_id)
    const content = { subject: 'Hola Ana', body: 'Te esperamos en Norte.' }
    expect(sent).toMatchObject([{ channel: 'email', recipient: 'ana@example.com', content }])
    expect(
      await sql('select status, content, provider, provider_id, attempts from public.messages'),
    ).toMatchObject([
      { status: 'sent', content, provider: 'fake', provider_id: `fake-${sent[0]?.id}`, attempts: 1 },
    ])
  })

  it('many at once send everything once', async () => {
    for (let n = 0; n < 130; n++) {
      await guest({ first_name: `G${n}`, email: `g${n}@example.com`, phone: `+346${String(10_000_000 + n)}` })
    }
    await enqueue(await automate())
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(await automate({ channel: 'sms' }), later(1))
    const { sent, providers } = fakeProvider()
    await Promise.all(Array.from({ length: 5 }, () => drainAt(later(2), providers)))
    expect(sent).toHaveLength(260)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(260)
    expect(await runs()).toEqual([
      { status: 'finished', processed: 130, sent: 130, skipped: 0, failed: 0 },
      { status: 'finished', processed: 130, sent: 130, skipped: 0, failed: 0 },
    ])
  })

  it('tries again what surely was not accepted, after the time the provider asked for', async () => {
    await guest(ANA)
    await enqueue(await automate({ channel: 'sms' }))
    const busy = fakeProvider(() => ({ kind: 'retryable', reason: 'provider_busy', afterSeconds: 600 }))
    await drainAt(NOON, busy.providers)
    const good = fakeProvider()
    await drainAt(later(9), good.providers)
    expect([busy.sent.length, good.sent.length]).toEqual([1, 0])
    await drainAt(later(10), good.providers)
    expect(good.sent).toHaveLength(1)
    expect(await statuses()).toEqual(['Ana: sent'])
  })

  it('gives up after eight attempts', async () => {
    await guest(ANA)
    await enqueue(await automate({ channel: 'sms' }))
    const busy = fakeProvider(() => ({ kind: 'retryable', reason: 'provider_busy', afterSeconds: 1 }))
    for (let n = 0; n < 10; n++) await drainAt(later(n), busy.providers)
    expect(busy.sent).toHaveLength(8)
    expect(await messages()).toMatchObject([{ status: 'failed', reason: 'provider_busy' }])
  })

  it('sends an e-mail of unknown outcome again under the same key, an SMS never', async () => {
    await guest(ANA)
    await enqueue(await automate())
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(await automate({ channel: 'sms' }), later(1))
    const { sent, providers } = fakeProvider(() => ({ kind: 'ambiguous', reason: 'provider_timeout' }))
    await drainAt(later(2), providers)
    await drainAt(later(20), providers)
    expect(sent.map(({ channel }) => channel).sort()).toEqual(['email', 'email', 'sms'])
    const keys = sent.filter(({ channel }) => channel === 'email').map((message) => message.idempotencyKey)
    expect(new Set(keys).size).toBe(1)
    expect((await messages()).map(({ channel, status }) => `${channel}: ${status}`)).toEqual([
      'email: queued',
      'sms: unknown',
    ])
  })

  it('takes a provider that throws, or says too little, for one that may have sent', async () => {
    await guest(ANA)
    await opensWindow(ANA.phone)
    await enqueue(await automate({ channel: 'sms' }))
    const broken: Provider = {
      name: 'broken',
      send: async () => {
        throw new Error('boom')
      },
    }
    const mute: Provider = { name: 'mute', send: async () => [] }
    await drainAt(NOON, { email: broken, sms: broken, whatsapp: broken })
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(await automate({ channel: 'whatsapp' }), later(1))
    await drainAt(later(1), { email: mute, sms: mute, whatsapp: mute })
    expect((await messages()).map(({ status }) => status)).toEqual(['unknown', 'unknown'])
  })

  it('fails what cannot be rendered and goes on with the rest', async () => {
    await guest(ANA)
    await enqueue(await automate({ body: '{% for i in (1..100000000) %}x{% endfor %}' }))
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(await automate(), later(1))
    const { sent, providers } = fakeProvider()
    await drainAt(later(2), providers)
    expect(sent).toHaveLength(1)
    expect((await messages()).map(({ status, reason }) => reason ?? status)).toEqual([
      'template_range',
      'sent',
    ])
  })

  it('sends a notification as it stands, whatever the hour', async () => {
    await sql(
      `insert into public.messages (organization_id, kind, purpose, channel, recipient, dedupe_key, content, not_before)
       values ($1, 'notification', 'ticket_notification', 'email', 'jefe@equipo.example', 'ticket:1', '{"subject":"A","body":"{{ x"}', $2)`,
      [group.id, NOON],
    )
    const { sent, providers } = fakeProvider()
    await drainAt(new Date('2026-11-20T23:00:00Z'), providers)
    expect(sent).toMatchObject([
      { recipient: 'jefe@equipo.example', content: { subject: 'A', body: '{{ x' } },
    ])
  })

  it('begins nothing once the time is over', async () => {
    await guest(ANA)
    await enqueue(await automate())
    const { sent, providers } = fakeProvider()
    await drain({ db, organizationId: group.id, now: () => NOON, signal: AbortSignal.abort(), providers })
    expect(sent).toEqual([])
    expect(await statuses()).toEqual(['Ana: queued'])
  })
})
