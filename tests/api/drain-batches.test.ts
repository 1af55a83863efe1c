import { describe, expect, it } from 'vitest'
import type { OutboundMessage, Outcome } from '@/lib/messaging/provider'
import {
  automate,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  later,
  locationId,
  NOON,
  sql,
  statuses,
  withOutbox,
} from '../support/outbox'

withOutbox()

const NAMES = ['Ana', 'Bea', 'Carla']
const three = () =>
  Promise.all(NAMES.map((name) => guest({ first_name: name, email: `${name.toLowerCase()}@correo.example` })))

/** A provider that takes so many e-mails in one request; without an outcome it accepts. */
function mailer(batchSize: number, outcome?: (message: OutboundMessage) => Outcome, pace?: number) {
  const fake = fakeProvider(outcome)
  const email = { ...fake.providers.email, batchSize, pace }
  return { sent: fake.sent, providers: { ...fake.providers, email } }
}
/** How many went under each key. */
const sizes = (sent: OutboundMessage[]) =>
  [...Map.groupBy(sent, ({ idempotencyKey }) => idempotencyKey).values()].map(({ length }) => length).sort()
const addresses = (sent: OutboundMessage[]) => sent.map(({ recipient }) => recipient).sort()
const timedOut = (): Outcome => ({ kind: 'ambiguous', reason: 'provider_timeout' })

describe('e-mails of one run', () => {
  it('share a key, as many as the provider takes in one request; another run has its own', async () => {
    await three()
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(await automate())
    const resend = mailer(2)
    await drainAt(NOON, resend.providers)
    expect(sizes(resend.sent)).toEqual([1, 2])

    await enqueue(await automate({ criteria: { min_spend: 300 } }), later(1))
    await enqueue(await automate({ criteria: { min_spend: 200 } }), later(1))
    const other = mailer(100)
    await drainAt(later(2), other.providers)
    expect(sizes(other.sent)).toEqual([3, 3])
  })
})

describe('a request that may have been accepted', () => {
  it('goes again whole and under its key, whatever the pace lets through', async () => {
    await three()
    await enqueue(await automate())
    const lost = mailer(100, timedOut)
    await drainAt(NOON, lost.providers)
    const again = mailer(100, undefined, 1)
    await drainAt(later(5), again.providers)
    expect(again.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: 3 }, () => lost.sent[0]?.idempotencyKey),
    )
    expect(addresses(again.sent)).toEqual(addresses(lost.sent))
    expect(await statuses()).toEqual(['Ana: sent', 'Bea: sent', 'Carla: sent'])
  })

  it('is unknown when one of them must not be written to any more', async () => {
    await three()
    await enqueue(await automate())
    await drainAt(NOON, mailer(100, timedOut).providers)
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       select organization_id, 'email', email, 'complaint' from public.customers
       where organization_id = $1 and first_name = 'Bea'`,
      [group.id],
    )
    const again = mailer(100)
    await drainAt(later(5), again.providers)
    expect(again.sent).toEqual([])
    expect(await statuses()).toEqual(['Ana: batch_incomplete', 'Bea: suppressed', 'Carla: batch_incomplete'])
  })

  it('waits for the last of them to have slept', async () => {
    await three()
    await sql(`update public.customers set location_id = $1 where first_name = 'Bea'`, [locationId('Isla')])
    const nineInTheEvening = later(60 * 9)
    await enqueue(await automate(), nineInTheEvening)
    await drainAt(nineInTheEvening, mailer(100, timedOut).providers)
    const again = mailer(100)
    // In Madrid it is a quarter to ten, on the island a quarter to nine.
    await drainAt(later(60 * 21.75), again.providers)
    expect(again.sent).toEqual([])
    expect(await statuses()).toEqual(['Ana: queued', 'Bea: queued', 'Carla: queued'])
    await drainAt(later(60 * 22.6), again.providers)
    expect(sizes(again.sent)).toEqual([3])
  })
})

it('what surely was not accepted gives up its key and may go with others', async () => {
  await guest({ first_name: 'Ana', email: 'ana@correo.example' })
  const automation = await automate()
  await enqueue(automation)
  const busy = mailer(100, () => ({ kind: 'retryable', reason: 'provider_rate_limit', afterSeconds: 60 }))
  await drainAt(NOON, busy.providers)
  expect(await sql('select idempotency_key from public.messages')).toEqual([{ idempotency_key: null }])
  const free = mailer(100)
  await drainAt(later(5), free.providers)
  expect(free.sent[0]?.idempotencyKey).not.toBe(busy.sent[0]?.idempotencyKey)
  expect(await statuses()).toEqual(['Ana: sent'])
})
