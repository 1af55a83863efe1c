import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReservation, DECLARED } from '../factories/messaging'
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
import { LOOKUPS, lookUp } from '../support/lookups'
import {
  ANA,
  app,
  BEA,
  db,
  drainAt,
  fakeProvider,
  group,
  guest,
  later,
  locationId,
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
})

const days = (count: number, minutes = 0) => later(count * 24 * 60 + minutes)
const guests = (count: number, tag = 'g') =>
  sql(
    `insert into public.customers (organization_id, email, first_name, total_visits, consents)
     select $1, $3 || n || '@example.com', $3 || n, 1, $4::jsonb from generate_series(1, $2) n`,
    [group.id, count, tag, JSON.stringify(DECLARED)],
  )
const count = async (query: string, parameters: unknown[] = []) =>
  (await sql<{ n: number }>(query, parameters))[0]?.n

describe('a campaign', () => {
  it('waits while its segment cannot be read, and begins when its conditions are saved again', async () => {
    await guest({ ...ANA, tags: ['otoño'] })
    const definition = { field: 'tags', is: 'any', tags: ['otoño'] }
    const segment_id = await segment(definition)
    const id = await draft({ segment_id })
    expect(await launch(id)).toBe('launched')
    const define = (is: object) =>
      sql('update public.segments set definition = $2::jsonb where id = $1', [segment_id, JSON.stringify(is)])
    await define({ field: '[…]' })
    expect(await tick(id, NOON)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'scheduled', reason: null })
    await define(definition)
    expect(await tick(id, NOON)).toEqual(['ana@example.com Uno'])
    expect(await stored(id)).toMatchObject({ status: 'finished', reason: null })
  })

  it('writes once to the guests whom its segment has when it begins, and finishes', async () => {
    await guest({ ...ANA, tags: ['otoño'] })
    await guest(BEA)
    const id = await draft({ segment_id: await segment({ field: 'tags', is: 'any', tags: ['otoño'] }) })
    expect(await launch(id)).toBe('launched')
    expect(await stored(id)).toMatchObject({ status: 'scheduled', guests: 1 })
    await sql(`update public.customers set tags = '{otoño}' where email = 'bea@example.com'`)
    expect((await tick(id, NOON)).sort()).toEqual(['ana@example.com Uno', 'bea@example.com Uno'])
    expect(await stored(id)).toMatchObject({ status: 'finished', reason: null })
    expect(await tick(id, days(1))).toEqual([])
    expect(await ends(id)).toEqual(['Ana 1a sent', 'Bea 1a sent'])
  })

  it('begins at its time of day in each time zone, and holds quiet hours', async () => {
    await guest(ANA)
    await guest({ ...BEA, location_id: locationId('Isla') })
    const id = await draft({ starts_local: '2026-11-20T18:00' })
    await launch(id)
    const fake = fakeProvider()
    // 18:00 in Madrid is 17:00 in the Canaries.
    expect(await tick(id, new Date('2026-11-20T16:59:59Z'), fake)).toEqual([])
    expect(await tick(id, new Date('2026-11-20T17:00:00Z'), fake)).toEqual(['ana@example.com Uno'])
    expect(await tick(id, new Date('2026-11-20T17:59:59Z'), fake)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'sending' })
    expect(await tick(id, new Date('2026-11-20T18:00:00Z'), fake)).toEqual(['bea@example.com Uno'])
    expect(await stored(id)).toMatchObject({ status: 'finished' })
    const night = await draft({
      starts_local: '2026-11-20T22:00',
      segment_id: await segment(undefined, 'Noche'),
    })
    await launch(night)
    expect(await tick(night, new Date('2026-11-20T21:00:00Z'), fake)).toEqual([])
    expect((await tick(night, new Date('2026-11-21T09:30:00Z'), fake)).length).toBe(2)
  })

  it('begins once on the night when clocks change', async () => {
    await sql(`update public.organizations set quiet_from = '00:00', quiet_until = '00:00'`)
    await guest(ANA)
    await guest({ ...BEA, location_id: locationId('Isla') })
    // 02:30 comes twice in Madrid (00:30Z and 01:30Z), and in the Canaries 02:30 is after its own second 01:30 (02:30Z).
    const id = await draft({ starts_local: '2026-10-25T02:30', messages: [first, followUp(2, 1)] })
    await launch(id, new Date('2026-10-24T10:00:00Z'))
    const fake = fakeProvider()
    const sent: string[] = []
    for (const day of [25, 26])
      for (let minutes = 0; minutes <= 180; minutes += 30) {
        const now = new Date(Date.UTC(2026, 9, day, 0, minutes))
        for (const one of await tick(id, now, fake)) sent.push(`${now.toISOString().slice(0, 16)} ${one}`)
      }
    expect(sent).toEqual([
      '2026-10-25T01:30 ana@example.com Uno',
      '2026-10-25T02:30 bea@example.com Uno',
      '2026-10-26T01:30 ana@example.com Paso 2',
      '2026-10-26T02:30 bea@example.com Paso 2',
    ])
  })

  it('finishes with nobody when its segment is empty, and says so', async () => {
    const id = await draft({ segment_id: await segment({ field: 'tags', is: 'any', tags: ['nadie'] }) })
    await launch(id, NOON, 0)
    expect(await tick(id, NOON)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'finished', reason: 'nobody' })
  })

  it('pauses when its segment or its provider is gone, and goes on when somebody resumes it', async () => {
    await guest(ANA)
    const gone = await draft()
    await launch(gone)
    await sql('delete from public.segments')
    expect(await tick(gone, NOON)).toEqual([])
    expect(await stored(gone)).toMatchObject({ status: 'paused', reason: 'segment_gone' })

    const id = await draft()
    await launch(id)
    const without = { ...fakeProvider(), providers: {} as never }
    expect(await tick(id, NOON, without)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'no_provider' })
    expect(await tick(id, NOON)).toEqual([])
    expect(await move(id, 'resume')).toBe('done')
    expect(await tick(id, NOON)).toEqual(['ana@example.com Uno'])
    expect(await ends(id)).toEqual(['Ana 1a sent'])
  })

  it('leaves out who was written to lately, and who may not be written to, with the reason', async () => {
    await guest(ANA)
    await guest(BEA)
    await guest({ first_name: 'Carla', email: 'carla@example.com' })
    await guest({ first_name: 'Dora', email: 'dora@example.com' })
    await sql(
      `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, dedupe_key, sent_at, created_at)
       select $1, 'marketing', 'post_visit', id, 'email', email, 'sent', first_name, $2::timestamptz - case first_name when 'Ana' then interval '5 days' else interval '20 days' end, $2
       from public.customers where first_name in ('Ana', 'Bea')`,
      [group.id, NOON],
    )
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', 'carla@example.com', 'stop')`,
      [group.id],
    )
    await sql('update public.organizations set frequency_cap_days = 3')
    const id = await draft({ exclude_recent_days: 14 })
    await launch(id)
    const fake = fakeProvider()
    const plan = { p_organization: group.id, p_campaign: id, p_now: NOON.toISOString() }
    await db.rpc('plan_campaign', plan).throwOnError()
    // Between planning and sending.
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', 'dora@example.com', 'unsubscribe')`,
      [group.id],
    )
    await drainAt(NOON, fake.providers)
    expect(await ends(id)).toEqual([
      'Ana 1a recently_written',
      'Bea 1a sent',
      'Carla 1a suppressed',
      'Dora 1a suppressed',
    ])
    await sql('update public.organizations set frequency_cap_days = 30')
    const capped = await draft({ segment_id: await segment(undefined, 'Otra vez') })
    await launch(capped)
    await tick(capped, NOON)
    expect(await ends(capped)).toEqual([
      'Ana 1a frequency_cap',
      'Bea 1a frequency_cap',
      'Carla 1a suppressed',
      'Dora 1a suppressed',
    ])
  })

  it('plans in parts without losing or doubling anybody, each address once', async () => {
    await guests(25)
    const id = await draft()
    await launch(id)
    const sent = await tick(id, NOON, fakeProvider(), 10)
    expect(new Set(sent).size).toBe(25)
    expect(sent.length).toBe(25)
  })

  it('stops, pauses and resumes between two batches', async () => {
    await guests(600)
    const id = await draft()
    // Its undo minute is over.
    await launch(id, later(-1))
    const fake = fakeProvider()
    let paused: Promise<string> | undefined
    const { email } = fake.providers
    const pausing = {
      ...fake.providers,
      email: {
        ...email,
        send: async (...given: Parameters<typeof email.send>) => {
          // No lane ends its batch before the pause: what goes out was leased until then.
          paused ??= move(id, 'pause')
          expect(await paused).toBe('done')
          return email.send(...given)
        },
      },
    }
    await db
      .rpc('plan_campaign', { p_organization: group.id, p_campaign: id, p_now: NOON.toISOString() })
      .throwOnError()
    await drainAt(NOON, pausing)
    const before = fake.sent.length
    // What its four lanes had leased when it paused, a batch of 100 each.
    expect(before).toBeLessThanOrEqual(400)
    expect(await tick(id, later(5), fake)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'paused', reason: 'paused_by_hand' })
    expect(await move(id, 'resume', later(6))).toBe('done')
    await tick(id, later(6), fake)
    expect(fake.sent.length).toBe(600)
    expect(new Set(fake.sent.map(({ recipient }) => recipient)).size).toBe(600)
    expect(await stored(id)).toMatchObject({ status: 'finished' })

    const other = await draft({ segment_id: await segment(undefined, 'Otro') })
    await launch(other, later(6))
    await db
      .rpc('plan_campaign', { p_organization: group.id, p_campaign: other, p_now: later(7).toISOString() })
      .throwOnError()
    expect(await move(other, 'stop', later(7))).toBe('done')
    await drainAt(later(8), fake.providers)
    expect(fake.sent.length).toBe(600)
    await db.rpc('cancel_held', { p_organization: group.id, p_now: later(8).toISOString() }).throwOnError()
    expect(
      await count(
        `select count(*)::int as n from public.messages where automation_id = $1 and reason = 'stopped'`,
        [other],
      ),
    ).toBe(600)
    expect(await move(other, 'resume', later(9))).toBe('not_paused')
  })
})

describe.each(LOOKUPS)('a test of two versions, its bookings looked up %s,', (how) => {
  beforeAll(() => lookUp(sql, how))

  const test = { test_share: 40, winner_by: 'visits', test_hours: 24 }
  /** The draw of a guest, computed apart from the database: 0 is a, 1 is b, more the remainder. */
  const drawn = (campaign: string, guest: string) => {
    const hash = createHash('md5').update(`version${campaign}${guest}`).digest().readUInt32BE(0)
    return Math.floor((hash * 200) / (test.test_share * 2 ** 32))
  }
  const bookings = (variant: string, every: number, id: string, day = '2026-12-01') =>
    sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time, party_size, status, source, created_at)
       select $1, $2, customer_id, $7::date, '21:00', 2, 'confirmed', 'pms', $5::timestamptz
       from (select m.customer_id, row_number() over (order by m.id) as n from public.messages m
         join public.automations a on a.id = m.automation_id where a.campaign_id = $3 and a.variant = $4 and m.status = 'sent') as told
       where n % $6 = 0`,
      [group.id, locationId('Norte'), id, variant, later(60), every, day],
    )

  it('gives each half of the share its version, and the rest the better one', async () => {
    await guests(400)
    const id = await draft({ ...test, messages: [first, second] })
    await launch(id)
    const fake = fakeProvider()
    const sent = await tick(id, NOON, fake, 50)
    const all = await sql<{ id: string; email: string }>('select id::text, email from public.customers')
    const expected = all.flatMap((one) => {
      const body = ['Uno', 'Dos'][drawn(id, one.id)]
      return body ? [`${one.email} ${body}`] : []
    })
    expect(sent.toSorted()).toEqual(expected.sort())
    await bookings('b', 2, id)
    // Dinners of the day before, of which the PMS told later, are no success of the message.
    await bookings('a', 1, id, '2026-11-19')
    expect(await tick(id, days(1, -1), fake)).toEqual([])
    const rest = await tick(id, days(1), fake)
    expect(await stored(id)).toMatchObject({ status: 'finished', winner: 'b', winner_reason: 'better' })
    expect(rest.every((one) => one.endsWith('Dos'))).toBe(true)
    expect(sent.length + rest.length).toBe(400)
    expect(new Set(fake.sent.map(({ recipient }) => recipient)).size).toBe(400)
  })

  it('by clicks counts those of persons', async () => {
    await guests(400)
    const id = await draft({ ...test, winner_by: 'clicks', messages: [first, second] })
    await launch(id)
    const fake = fakeProvider()
    await tick(id, NOON, fake, 50)
    const clicks = (variant: string, actor: string, every: number) =>
      sql(
        `insert into public.message_engagement (message_id, kind, link, actor, first_at, times)
         select id, 'click', 'https://alborada.example', $3, $4, 1
         from (select m.id, row_number() over (order by m.id) as n from public.messages m
           join public.automations a on a.id = m.automation_id where a.campaign_id = $1 and a.variant = $2 and m.status = 'sent') as told
         where n % $5 = 0`,
        [id, variant, actor, later(60), every],
      )
    await clicks('a', 'machine', 1)
    await clicks('b', 'person', 3)
    await tick(id, days(1), fake)
    expect(await stored(id)).toMatchObject({ status: 'finished', winner: 'b', winner_reason: 'better' })
  })

  it('claims no difference where there is none, and takes the one ahead, or the first', async () => {
    await guests(200)
    const id = await draft({ ...test, messages: [first, second] })
    await launch(id)
    const fake = fakeProvider()
    await tick(id, NOON, fake)
    await tick(id, days(1), fake)
    expect(await stored(id)).toMatchObject({ winner: 'a', winner_reason: 'too_few', status: 'finished' })
    expect(fake.sent.length).toBe(200)
  })

  it('has no remainder at 100 per cent', async () => {
    await guests(40)
    const id = await draft({ ...test, test_share: 100, messages: [first, second] })
    await launch(id)
    expect((await tick(id, NOON)).length).toBe(40)
    await tick(id, days(1))
    expect(await stored(id)).toMatchObject({ status: 'finished', winner: 'a' })
  })
})

describe('follow-ups', () => {
  it('go so many days after the step before, at its time of day, to who has not booked', async () => {
    const ana = await guest(ANA)
    const bea = await guest(BEA)
    await guest({ first_name: 'Carla', email: 'carla@example.com' })
    const id = await draft({
      starts_local: '2026-11-20T18:00',
      messages: [first, followUp(2, 3), followUp(3, 2)],
    })
    await launch(id)
    const fake = fakeProvider()
    expect((await tick(id, new Date('2026-11-20T17:20:00Z'), fake)).length).toBe(3)
    await createReservation(app.stack, group.id, {
      location_id: locationId('Norte'),
      customer_id: bea,
      reservation_date: '2026-11-30',
      created_at: '2026-11-21T10:00:00Z',
    })
    // Ana dined before the message; the PMS told of it later.
    await createReservation(app.stack, group.id, {
      location_id: locationId('Norte'),
      customer_id: ana,
      reservation_date: '2026-11-19',
      created_at: '2026-11-21T10:00:00Z',
    })
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', 'carla@example.com', 'unsubscribe')`,
      [group.id],
    )
    expect(await tick(id, new Date('2026-11-23T16:59:00Z'), fake)).toEqual([])
    expect(await tick(id, new Date('2026-11-23T17:00:00Z'), fake)).toEqual(['ana@example.com Paso 2'])
    expect(await tick(id, new Date('2026-11-24T17:00:00Z'), fake)).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'sending' })
    expect(await tick(id, new Date('2026-11-25T17:00:00Z'), fake)).toEqual(['ana@example.com Paso 3'])
    await tick(id, new Date('2026-11-29T17:00:00Z'), fake)
    expect(await stored(id)).toMatchObject({ status: 'finished' })
    expect(await ends(id)).toEqual([
      'Ana 1a sent',
      'Bea 1a sent',
      'Carla 1a sent',
      'Ana 2a sent',
      'Carla 2a suppressed',
      'Ana 3a sent',
    ])
  })

  it('go to all also when their planning was interrupted for days', async () => {
    await guests(4)
    const id = await draft({ messages: [first, followUp(2, 1)] })
    await launch(id)
    await tick(id, NOON)
    // The guest whom planning looks at first got the message half a day after the others.
    await sql(`update public.messages set sent_at = sent_at + interval '12 hours'
      where customer_id = (select c.id from public.customers c order by c.id limit 1)`)
    const { data } = await db
      .rpc('plan_campaign', {
        ...{ p_organization: group.id, p_campaign: id, p_now: days(1, 1).toISOString() },
        p_limit: 1,
      })
      .throwOnError()
    expect(data).toMatchObject({ more: true })
    expect((await tick(id, days(4))).length).toBe(4)
    expect(await stored(id)).toMatchObject({ status: 'finished' })
  })

  it('do not go to who books between planning and sending', async () => {
    const ana = await guest(ANA)
    const id = await draft({ messages: [first, followUp(2, 1)] })
    await launch(id)
    await tick(id, NOON)
    await db
      .rpc('plan_campaign', { p_organization: group.id, p_campaign: id, p_now: days(1).toISOString() })
      .throwOnError()
    await createReservation(app.stack, group.id, {
      location_id: locationId('Norte'),
      customer_id: ana,
      reservation_date: '2026-11-30',
      created_at: days(1, 1).toISOString(),
    })
    expect(await tick(id, days(1, 5))).toEqual([])
    expect(await ends(id)).toEqual(['Ana 1a sent', 'Ana 2a booked'])
  })
})

it('a follow-up does not go to who has dined since the step before, when the PMS tells of it only now', async () => {
  const ana = await guest(ANA)
  const id = await draft({ messages: [first, followUp(2, 3)] })
  await launch(id)
  await tick(id, NOON)
  await db
    .rpc('plan_campaign', { p_organization: group.id, p_campaign: id, p_now: days(3).toISOString() })
    .throwOnError()
  await createReservation(app.stack, group.id, {
    location_id: locationId('Norte'),
    customer_id: ana,
    reservation_date: days(1).toISOString().slice(0, 10),
    status: 'completed',
    created_at: days(3, 1).toISOString(),
  })
  expect(await tick(id, days(3, 5))).toEqual([])
  expect(await ends(id)).toEqual(['Ana 1a sent', 'Ana 2a booked'])
})

describe('the control group of a campaign', () => {
  it('gets no version and no follow-up, is one for all messages, and is compared', async () => {
    await guests(300)
    const id = await draft({
      test_share: 50,
      winner_by: 'visits',
      test_hours: 1,
      control_share: 20,
      messages: [first, second, followUp(2, 1)],
    })
    await launch(id)
    const fake = fakeProvider()
    await tick(id, NOON, fake)
    await tick(id, later(60), fake)
    await tick(id, days(1), fake)
    await tick(id, days(2, 60), fake)
    await tick(id, days(4), fake)
    expect(await stored(id)).toMatchObject({ status: 'finished' })
    const held = await sql<{ email: string }>(
      `select c.email from private.enrolments e join public.customers c on c.id = e.customer_id where e.held and e.automation_id = $1`,
      [id],
    )
    expect(held.length).toBeGreaterThan(30)
    const written = new Set(fake.sent.map(({ recipient }) => recipient))
    expect(held.filter(({ email }) => written.has(email))).toEqual([])
    expect(written.size + held.length).toBe(300)
    expect(fake.sent.length).toBe(2 * written.size)
    expect(await count('select count(*)::int as n from private.enrolments')).toBe(300)
  })
})
