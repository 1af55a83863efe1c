import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '@/lib/env'
import { readGuestLook } from '@/lib/guests/look'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { createGroup } from '../factories/group'
import { createReservation, type NewAutomation, noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import {
  ANA,
  app,
  automate,
  BEA,
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
  ways,
  withOutbox,
} from '../support/outbox'
import { answer, signedIn } from '../support/sign-in'

// What guests chose holds for every marketing message: in plans, in their previews, and at the claim.
withOutbox()

const DAY = 24 * 60
let boss: Client
let sol: string
let mar: string
beforeAll(async () => {
  boss = await signedIn(await group.person('super_admin'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('email_looks', 'reservations', 'campaigns', 'segments'))
  await sql('delete from public.attempt_limits')
  await sql('update public.organizations set frequency_cap_days = 0, control_share = 0')
  await sql(`delete from public.brands where name in ('Sol', 'Mar')`)
  ;[sol = '', mar = ''] = (
    await sql<{ id: string }>(
      `insert into public.brands (organization_id, name, slug) values ($1, 'Sol', 'sol'), ($1, 'Mar', 'mar') returning id::text`,
      [group.id],
    )
  ).map(({ id }) => id)
  for (const [name, id] of [
    ['Norte', sol],
    ['Isla', mar],
  ])
    await sql('update public.locations set brand_id = $2 where organization_id = $3 and name = $1', [
      name,
      id,
      group.id,
    ])
  await sql(`delete from public.brands where organization_id = $1 and name not in ('Sol', 'Mar')`, [group.id])
})

async function choose(address: string, fields: Record<string, string>): Promise<void> {
  const recipient = { organizationId: group.id, channel: 'email' as const, address }
  const token = unsubscribeToken(recipient, env().SECRETS_KEY)
  const answered = await app.client().request('POST', `/api/u/${token}`, {
    body: new URLSearchParams({ action: 'preferences', ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answered.status, await answered.text()).toBe(303)
}
/** Sends what is due; who got what, by channel. */
async function send(now = NOON): Promise<string[]> {
  const { sent, providers } = fakeProvider()
  await drainAt(now, providers)
  return sent.map(({ recipient }) => recipient).sort()
}
async function sendOne(more: Partial<NewAutomation>, now = NOON): Promise<string[]> {
  await enqueue(await automate(more), now)
  return send(now)
}
async function skipped(automation: string): Promise<Record<string, number>> {
  const { body } = await answer(await boss.request('GET', `/api/automations/${automation}/preview`))
  return Object.fromEntries(
    Object.entries(body.data.skipped as Record<string, number>).filter(([, n]) => n > 0),
  )
}

describe('once a month at most', () => {
  it('counts every channel, without a cap of the group, and only for who asked', async () => {
    await guest(ANA)
    await guest(BEA)
    await choose(ANA.email, { frequency: 'monthly' })
    expect(await sendOne({ channel: 'sms' })).toEqual([ANA.phone, BEA.phone])
    expect(await sendOne({ channel: 'email' }, later(29 * DAY))).toEqual([BEA.email])
    expect((await statuses()).filter((line) => line.startsWith('Ana'))).toEqual([
      'Ana: sent',
      'Ana: guest_frequency',
    ])
    const [about] = await sql<{ names: boolean }>(
      `select m.detail ->> 'message' = (select s.id::text from public.messages s where s.customer_id = m.customer_id
         and s.status = 'sent') as names from public.messages m where m.reason = 'guest_frequency'`,
    )
    expect(about).toEqual({ names: true })
    expect(await sendOne({ channel: 'email' }, later(30 * DAY + 1))).toEqual([ANA.email, BEA.email])
  })

  it('holds for a message that waits when the wish comes, and for a fallback', async () => {
    await guest(ANA)
    await guest(BEA)
    await sendOne({ channel: 'email' })
    const now = later(DAY)
    await enqueue(await automate({ channel: 'whatsapp', fallback_channel: 'sms' }), now)
    await choose(ANA.email, { frequency: 'monthly' })
    expect(await send(now)).toEqual([BEA.phone])
    expect(await ways()).toContain('Ana: sms guest_frequency')
  })

  it('lets one of two go that wait together, in one run or two', async () => {
    await guest(ANA)
    await choose(ANA.email, { frequency: 'monthly' })
    await sql(`update public.customers set write_frequency = null`)
    await enqueue(await automate({ channel: 'email' }))
    await enqueue(await automate({ channel: 'email', name: 'Otra' }))
    await choose(ANA.email, { frequency: 'monthly' })
    expect(await send()).toEqual([ANA.email])
    expect((await statuses()).sort()).toEqual(['Ana: guest_frequency', 'Ana: sent'])
  })

  it('is one a run, too, when a guest came twice', async () => {
    const ana = await guest(ANA)
    for (const reservation_time of ['14:00', '21:00'])
      await createReservation(app.stack, group.id, {
        ...{ customer_id: ana, location_id: locationId('Norte'), reservation_date: '2026-11-19' },
        ...{ reservation_time, status: 'completed', service_over: true },
      })
    const thanks = { type: 'post_visit', criteria: { hours_after: 1, window_hours: 72 } } as const
    await choose(ANA.email, { frequency: 'monthly' })
    expect(await sendOne(thanks)).toEqual([ANA.email])
    expect((await statuses()).sort()).toEqual(['Ana: guest_frequency', 'Ana: sent'])
  })

  it('is in the counts of a preview, and says nothing about confirmations', async () => {
    const ana = await guest(ANA)
    await guest(BEA)
    await choose(ANA.email, { frequency: 'monthly' })
    const now = new Date()
    await sendOne({ channel: 'email' }, now)
    expect(await skipped(await automate({ channel: 'sms' }))).toEqual({ guest_frequency: 1 })
    await sql(`update public.organizations set frequency_cap_days = 40`)
    expect(await skipped(await automate({ channel: 'sms' }))).toEqual({ frequency_cap: 2 })
    await createReservation(app.stack, group.id, {
      ...{ customer_id: ana, location_id: locationId('Norte'), reservation_date: '2026-11-25' },
    })
    await sql(emptyTables('messages', 'automations'))
    await sendOne({ channel: 'sms' })
    expect(await sendOne({ type: 'reservation_confirmation', criteria: {} })).toEqual([ANA.email])
  })
})

describe('a muted brand', () => {
  const norte = () => ({ location_ids: [locationId('Norte')] })

  it('is not heard of; the other one and the group are, until all are muted', async () => {
    await guest(ANA)
    await guest(BEA)
    await choose(ANA.email, { brands: mar })
    expect(await skipped(await automate(norte()))).toEqual({ brand_muted: 1 })
    expect(await sendOne(norte())).toEqual([BEA.email])
    expect(await ways()).toEqual(['Ana: email brand_muted', 'Bea: email sent'])
    await sql(`update public.customers set location_id = $1`, [locationId('Isla')])
    expect(await sendOne({ location_ids: [locationId('Isla')] })).toEqual([ANA.email, BEA.email])
    expect(await sendOne({})).toEqual([ANA.email, BEA.email])
    expect(await sendOne({ location_ids: group.locations.map(({ id }) => id) })).toEqual([
      ANA.email,
      BEA.email,
    ])
    await choose(ANA.email, { brands: '' })
    expect(await sendOne({})).toEqual([BEA.email])
    // A brand that is new is not muted yet.
    await sql(`insert into public.brands (organization_id, name, slug) values ($1, 'Nueva', 'nueva')`, [
      group.id,
    ])
    expect(await sendOne({ name: 'De todos' })).toEqual([ANA.email, BEA.email])
  })

  it('holds for a message that waits, and no fallback goes round it', async () => {
    await guest(ANA)
    await guest(BEA)
    await enqueue(await automate({ ...norte(), channel: 'whatsapp', fallback_channel: 'email' }))
    await enqueue(await automate({ ...norte(), channel: 'email' }))
    await choose(ANA.email, { brands: mar })
    expect(await send()).toEqual([BEA.email, BEA.email])
    expect((await ways()).filter((line) => line.startsWith('Ana'))).toEqual([
      'Ana: email brand_muted',
      'Ana: email brand_muted',
    ])
  })

  it('says nothing about a confirmation at its places', async () => {
    const ana = await guest(ANA)
    await choose(ANA.email, { brands: mar, frequency: 'monthly' })
    await createReservation(app.stack, group.id, {
      ...{ customer_id: ana, location_id: locationId('Norte'), reservation_date: '2026-11-25' },
    })
    const confirmation = { type: 'reservation_confirmation', criteria: {} } as const
    expect(await sendOne({ ...confirmation, ...norte() })).toEqual([ANA.email])
  })
})

describe('the look of a guest’s page', () => {
  const logo = (n: number) => `${group.id}/b0000000-0000-4000-8000-00000000000${n}.png`
  const look = (brand: string | null, color: string | null, n: number | null) =>
    sql('insert into public.email_looks (organization_id, brand_id, color, logo) values ($1, $2, $3, $4)', [
      group.id,
      brand,
      color,
      n === null ? null : logo(n),
    ])
  const messageTo = async (more: Partial<NewAutomation>) => {
    await enqueue(await automate(more))
    const [last] = await sql<{ id: string }>(
      'select id::text from public.messages order by created_at desc, id desc limit 1',
    )
    return last?.id ?? ''
  }
  const seen = async (messageId?: string, visit = false) => {
    const found = await readGuestLook({ organizationId: group.id, messageId, visit })
    return found && [found.name, found.color, found.logo?.split('/').at(-1)?.at(-5)]
  }

  it('is the message’s brand’s, what it leaves open the group’s, else the group’s name alone', async () => {
    await guest(ANA)
    const ofNorte = await messageTo({ location_ids: [locationId('Norte')] })
    const ofAll = await messageTo({})
    expect(await seen(ofNorte)).toEqual(['Sol', null, undefined])
    expect(await seen()).toEqual(['Grupo Cola', null, undefined])
    await look(null, '#112233', 1)
    await look(sol, '#aa0000', null)
    expect(await seen(ofNorte)).toEqual(['Sol', '#aa0000', '1'])
    expect(await seen(ofAll)).toEqual(['Grupo Cola', '#112233', '1'])
    expect(await seen(crypto.randomUUID())).toEqual(['Grupo Cola', '#112233', '1'])
    expect(await readGuestLook({ organizationId: crypto.randomUUID() })).toBeNull()
    const { logo: url } = (await readGuestLook({ organizationId: group.id })) ?? {}
    expect(url).toBe(`${app.stack.url}/storage/v1/object/public/email-images/${logo(1)}`)
  })

  it('of a survey is that of the visit’s place', async () => {
    await look(null, '#112233', 1)
    await look(mar, '#00aa00', 2)
    const ana = await guest(ANA)
    await createReservation(app.stack, group.id, {
      ...{ customer_id: ana, location_id: locationId('Isla'), reservation_date: '2026-11-19' },
      ...{ status: 'completed', service_over: true },
    })
    const message = await messageTo({ type: 'post_visit', criteria: { hours_after: 1, window_hours: 72 } })
    expect(await seen(message, true)).toEqual(['Mar', '#00aa00', '2'])
    expect(await seen(message)).toEqual(['Grupo Cola', '#112233', '1'])
    // A survey's link names the message alone. Of several groups, the example's page is none's.
    expect(await readGuestLook({ messageId: message, visit: true })).toMatchObject({ name: 'Mar' })
    await createGroup(app.stack, 'Grupo Ajeno')
    expect(await readGuestLook({ messageId: message, visit: true })).toMatchObject({ name: 'Mar' })
    expect(await readGuestLook({ visit: true })).toBeNull()
    const [other] = await sql<{ id: string }>(
      `select id::text from public.organizations where name = 'Grupo Ajeno'`,
    )
    expect(await readGuestLook({ organizationId: other?.id, messageId: message, visit: true })).toMatchObject(
      {
        ...{ name: 'Grupo Ajeno', color: null },
      },
    )
  })
})
