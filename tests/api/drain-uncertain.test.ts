import { describe, expect, it } from 'vitest'
import type { Outcome } from '@/lib/messaging/provider'
import { freezeMessages, sweepLeases } from '@/lib/messaging/queue'
import {
  ANA,
  automate,
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
  runs,
  sql,
  withOutbox,
} from '../support/outbox'

withOutbox()

const suppressAna = () =>
  sql(
    `insert into public.suppressions (organization_id, channel, address, reason)
     values ($1, 'email', $2, 'bounce')`,
    [group.id, ANA.email],
  )

describe('an e-mail that may have been accepted', () => {
  const lost = fakeProvider(() => ({ kind: 'ambiguous', reason: 'provider_timeout' }))

  async function ambiguous(): Promise<string> {
    await guest(ANA)
    const automation = await automate()
    await enqueue(automation)
    await drainAt(NOON, lost.providers)
    expect(await messages()).toMatchObject([{ status: 'queued' }])
    return automation
  }

  async function expectUnknown(automation: string, reason: string): Promise<void> {
    expect(await messages()).toMatchObject([{ status: 'unknown', reason }])
    expect(await runs()).toMatchObject([{ status: 'finished', skipped: 0, failed: 1 }])
    await sql('delete from public.suppressions')
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(automation, later(60 * 12))
    expect(await messages()).toHaveLength(1)
  }

  it('is not said to be skipped when its recipient must not be written to any more', async () => {
    const automation = await ambiguous()
    await suppressAna()
    await drainAt(later(5), fakeProvider().providers)
    await expectUnknown(automation, 'suppressed')
  })

  it('nor after the process that sent it died', async () => {
    await guest(ANA)
    const automation = await automate()
    await enqueue(automation)
    await freezeMessages(db, frozen(await claim()), NOON)
    await sweepLeases(db, later(2))
    await suppressAna()
    await drainAt(later(2), fakeProvider().providers)
    await expectUnknown(automation, 'suppressed')
  })

  it.each<[string, Outcome]>([
    ['provider_busy', { kind: 'retryable', reason: 'provider_busy', afterSeconds: 1 }],
    ['content_rejected', { kind: 'permanent', reason: 'content_rejected' }],
  ])('is not said to have failed when it is refused afterwards (%s)', async (reason, outcome) => {
    const automation = await ambiguous()
    const refusing = fakeProvider(() => outcome)
    for (let n = 1; n < 10; n++) await drainAt(later(5 * n), refusing.providers)
    await expectUnknown(automation, reason)
  })

  it('is sent once a later attempt succeeds', async () => {
    await ambiguous()
    await drainAt(later(5), fakeProvider().providers)
    expect(await messages()).toMatchObject([{ status: 'sent', reason: null }])
  })
})

it('an e-mail that surely was not accepted is skipped or failed as others are', async () => {
  await guest(ANA)
  await enqueue(await automate())
  await drainAt(
    NOON,
    fakeProvider(() => ({ kind: 'retryable', reason: 'provider_busy', afterSeconds: 1 })).providers,
  )
  await suppressAna()
  await drainAt(later(5), fakeProvider().providers)
  expect(await messages()).toMatchObject([{ status: 'skipped', reason: 'suppressed' }])
})
