import { expect, it } from 'vitest'
import { type ClaimedBatch, claimMessages } from '@/lib/messaging/queue'
import {
  automate,
  db,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  NOON,
  sql,
  statuses,
  withOutbox,
} from '../support/outbox'

withOutbox()

const claimOne = (after?: ClaimedBatch['last']) =>
  claimMessages(db, {
    organizationId: group.id,
    channel: 'email',
    limit: 1,
    leaseSeconds: 60,
    now: NOON,
    after,
  })
const three = async () => {
  for (const name of ['Ana', 'Bea', 'Carla'])
    await guest({ first_name: name, email: `${name.toLowerCase()}@correo.example` })
  await enqueue(await automate())
}

it('a claim goes on behind the place where another ended, and does not look before it', async () => {
  await three()
  const first = await claimOne()
  const second = await claimOne(first.last)
  expect(second.examined).toBe(1)
  await sql(`update public.messages set not_before = not_before - interval '1 hour' where status = 'queued'`)
  expect(await claimOne(second.last)).toMatchObject({ examined: 0, messages: [] })
  expect((await claimOne()).examined).toBe(1)
})

it('a drain sends also what has come before its place meanwhile', async () => {
  await three()
  await sql(`update public.messages set not_before = not_before + interval '1 day'
    where customer_id in (select id from public.customers where first_name = 'Carla')`)
  const fake = fakeProvider()
  const { email } = fake.providers
  const send: typeof email.send = async (batch, gate) => {
    await sql(
      `update public.messages set not_before = $1::timestamptz - interval '2 days' where status = 'queued'`,
      [NOON],
    )
    return email.send(batch, gate)
  }
  await drainAt(NOON, { ...fake.providers, email: { ...email, send } })
  expect(await statuses()).toEqual(['Ana: sent', 'Bea: sent', 'Carla: sent'])
})
