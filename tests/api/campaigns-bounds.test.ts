import { beforeEach, describe, expect, it } from 'vitest'
import { DECLARED } from '../factories/messaging'
import {
  draft,
  ends,
  first,
  followUp,
  launch,
  move,
  second,
  segment,
  stored,
  tick,
} from '../support/campaigns'
import { emptyTables } from '../support/empty-tables'
import { ANA, BEA, db, fakeProvider, group, guest, later, NOON, sql, withOutbox } from '../support/outbox'

// What a campaign may not go beyond: what was seen and approved, the frequency cap, the end of its test.
withOutbox()
beforeEach(async () => {
  await sql(emptyTables('campaigns', 'segments', 'automations'))
  await sql(
    'update public.organizations set frequency_cap_days = 0, campaign_approve_above = null, sending_stopped_at = null',
  )
})

const guests = (from: number, to: number) =>
  sql(
    `insert into public.customers (organization_id, email, first_name, total_visits, consents)
     select $1, 'g' || n || '@example.com', 'g' || n, 1, $4::jsonb from generate_series($2::int, $3::int) n`,
    [group.id, from, to, JSON.stringify(DECLARED)],
  )
const messages = async () =>
  (await sql<{ n: number }>('select count(*)::int as n from public.messages'))[0]?.n

describe('the version that was seen', () => {
  it('is launched: one saved meanwhile is refused by the database too', async () => {
    await guest(ANA)
    const id = await draft()
    const seen = await stored(id)
    const edit = { p_organization: group.id, p_id: id, p_fields: { name: 'Otro nombre' } }
    await db.rpc('save_campaign', { ...edit, p_version: seen.version }).throwOnError()
    const given = { p_organization: group.id, p_campaign: id, p_person: null as never, p_guests: 1 }
    const at = (p_version: number) => ({ ...given, p_version, p_now: NOON.toISOString() })
    expect((await db.rpc('launch_campaign', at(seen.version)).throwOnError()).data).toBe('changed')
    expect((await db.rpc('launch_campaign', at(seen.version + 1)).throwOnError()).data).toBe('launched')
  })
})

describe('the segment that was launched', () => {
  const change = (id: string) =>
    sql(
      `update public.segments set version = version + 1, definition = '{"field": "visits", "min": 0, "max": 99}' where id = $1`,
      [id],
    )

  it('pauses it when someone has changed it, until it is resumed for the new one', async () => {
    await guest(ANA)
    const segment_id = await segment()
    const id = await draft({ segment_id })
    await launch(id)
    await change(segment_id)
    expect(await tick(id, NOON)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'segment_changed' })
    expect(await move(id, 'resume')).toBe('done')
    expect(await tick(id, NOON)).toEqual(['ana@example.com Uno'])
    expect(await stored(id)).toMatchObject({ status: 'finished', reason: null })
  })

  it('counts until its guests are planned: the follow-ups are not of it', async () => {
    await guest(ANA)
    const segment_id = await segment()
    const id = await draft({ segment_id, messages: [first, followUp(2, 1)] })
    await launch(id)
    const fake = fakeProvider()
    await tick(id, NOON, fake)
    await change(segment_id)
    expect(await tick(id, later(24 * 60), fake)).toEqual(['ana@example.com Paso 2'])
  })
})

describe('the limit of what one person launches', () => {
  beforeEach(() => sql('update public.organizations set campaign_approve_above = 25'))
  const two = { test_share: 50, winner_by: 'visits', test_hours: 1, messages: [first, second] }

  it.each([
    ['without a test', {}],
    ['with one', two],
  ])('is not passed by a segment that grew since, before anything is planned: %s', async (_, fields) => {
    await guests(1, 25)
    const id = await draft(fields)
    expect(await launch(id)).toBe('launched')
    expect(await stored(id)).toMatchObject({ status: 'scheduled', guests: 25 })
    // Less than a tenth more, but no number above the limit was approved.
    await guests(26, 27)
    expect(await tick(id, NOON, fakeProvider(), 10)).toEqual([])
    expect(await messages()).toBe(0)
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'audience_grew' })
    expect(await move(id, 'resume')).toBe('done')
    expect(await stored(id)).toMatchObject({ status: 'waiting_approval', guests: 27 })
  })

  it('is not passed in the middle either: what is approved is counted before the first part', async () => {
    await guests(1, 30)
    const id = await draft()
    await launch(id)
    await sql(`update public.campaigns set status = 'scheduled', approved_at = $2 where id = $1`, [id, NOON])
    await guests(31, 60)
    expect(await tick(id, NOON, fakeProvider(), 10)).toEqual([])
    expect(await messages()).toBe(0)
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'audience_grew' })
  })

  it('is not passed by the remainder after a test', async () => {
    await guests(1, 20)
    const id = await draft(two)
    await launch(id)
    const fake = fakeProvider()
    const tested = (await tick(id, NOON, fake)).length
    expect(tested).toBeGreaterThan(0)
    await guests(21, 60)
    expect(await tick(id, later(60), fake, 10)).toEqual([])
    expect(await messages()).toBe(tested)
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'audience_grew' })
  })
})

describe('the frequency cap', () => {
  beforeEach(() => sql('update public.organizations set frequency_cap_days = 7'))

  it('lets a follow-up through after exactly its days', async () => {
    await guest(ANA)
    const id = await draft({ starts_local: '2026-11-20T18:00', messages: [first, followUp(2, 7)] })
    await launch(id)
    const fake = fakeProvider()
    // 18:20 in Madrid: the follow-up is due at 18:00.
    await tick(id, new Date('2026-11-20T17:20:00Z'), fake)
    expect(await tick(id, new Date('2026-11-27T17:00:00Z'), fake)).toEqual(['ana@example.com Paso 2'])
  })

  it('also when the quiet hours had held the first message', async () => {
    await guest(ANA)
    const id = await draft({ starts_local: '2026-11-20T08:00', messages: [first, followUp(2, 7)] })
    await launch(id, new Date('2026-11-19T12:00:00Z'))
    const fake = fakeProvider()
    await tick(id, new Date('2026-11-20T07:00:00Z'), fake)
    expect(await tick(id, new Date('2026-11-20T08:31:00Z'), fake)).toEqual(['ana@example.com Uno'])
    await tick(id, new Date('2026-11-27T07:00:00Z'), fake)
    expect(await tick(id, new Date('2026-11-27T08:30:00Z'), fake)).toEqual(['ana@example.com Paso 2'])
  })

  it('still counts other messages, and those of the campaign within its days', async () => {
    await guest(ANA)
    await guest(BEA)
    const id = await draft({ messages: [first, followUp(2, 7), followUp(3, 2)] })
    await launch(id)
    const fake = fakeProvider()
    await tick(id, NOON, fake)
    await sql(
      `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, dedupe_key, sent_at, created_at)
       select $1, 'marketing', 'post_visit', id, 'email', email, 'sent', 'otra', $2, $2 from public.customers where first_name = 'Bea'`,
      [group.id, later(5 * 24 * 60)],
    )
    await tick(id, later(7 * 24 * 60), fake)
    await tick(id, later(9 * 24 * 60), fake)
    expect(await ends(id)).toEqual([
      'Ana 1a sent',
      'Bea 1a sent',
      'Ana 2a sent',
      'Bea 2a frequency_cap',
      'Ana 3a frequency_cap',
    ])
  })
})

describe('the end of a test', () => {
  const test = { test_share: 50, winner_by: 'visits', test_hours: 1, messages: [first, second] }
  const decides = async (id: string) => {
    const ids = { p_organization: group.id, p_campaign: id }
    const { data } = await db.rpc('campaign_score', ids).throwOnError()
    const { decides_at } = data as { decides_at: string | null }
    return decides_at && new Date(decides_at).toISOString()
  }

  it('is counted from the last of its messages, whatever held them', async () => {
    await guests(1, 40)
    // 22:00 in Madrid: quiet hours until 09:30.
    const night = new Date('2026-11-20T21:00:00Z')
    const id = await draft(test)
    expect(await decides(id)).toBeNull()
    await launch(id, night)
    const fake = fakeProvider()
    expect(await tick(id, night, fake)).toEqual([])
    expect(await tick(id, new Date('2026-11-20T22:30:00Z'), fake)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'sending', winner: null })
    expect(await decides(id)).toBeNull()
    const sent = await tick(id, new Date('2026-11-21T08:30:00Z'), fake)
    expect(sent.length).toBeGreaterThan(5)
    expect(await decides(id)).toBe('2026-11-21T09:30:00.000Z')
    expect(await tick(id, new Date('2026-11-21T09:29:00Z'), fake)).toEqual([])
    expect(await stored(id)).toMatchObject({ winner: null })
    const rest = await tick(id, new Date('2026-11-21T09:31:00Z'), fake)
    expect(sent.length + rest.length).toBe(40)
    expect(await stored(id)).toMatchObject({ status: 'finished', winner: 'a' })
    expect(await decides(id)).toBe('2026-11-21T09:31:00.000Z')
  })

  it('comes too when none of its messages was sent', async () => {
    await guest({ first_name: 'Sin correo' })
    const id = await draft(test)
    await launch(id)
    await tick(id, NOON)
    expect(await decides(id)).toBe(later(60).toISOString())
    await tick(id, later(60))
    expect(await stored(id)).toMatchObject({ status: 'finished' })
  })
})
