import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AUTOMATION_TYPES, type AutomationType, aboutOf, isMarketing } from '@/lib/automations/types'
import { createGroup, type Group } from '../factories/group'
import { createAutomation, type NewAutomation } from '../factories/messaging'
import { audienceOf } from '../support/audience'
import { type Guest, matches, type Visit } from '../support/audience-oracle'
import { drawPeople } from '../support/drawn-people'
import { emptyTables } from '../support/empty-tables'
import { type Stack, startStack } from '../support/stack'

const PEOPLE = 2000
const ABOUT_BOOKINGS: AutomationType[] = AUTOMATION_TYPES.filter((type) => aboutOf(type) !== 'guest')

let stack: Stack
let group: Group
let guests: Guest[]
let visits: Visit[]
let tierRanks: Record<string, number>

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Público', [
    { name: 'Madrid', slug: 'madrid' },
    { name: 'Canarias', slug: 'canarias', timezone: 'Atlantic/Canary' },
  ])
  // The zone of guests without a location.
  await stack.sql(`update public.organizations set timezone = 'America/New_York' where id = $1`, [group.id])
  const other = await createGroup(stack, 'Otro Público', [{ name: 'Fuera', slug: 'fuera' }])
  const people = await drawPeople(stack, group, PEOPLE)
  // The neighbours would match everything.
  await stack.sql(
    `with c as (insert into public.customers (organization_id, birth_date, location_id, total_spend, total_visits,
         last_visit_at)
       select $1, date '1980-01-01' + n, $2, 9999, 9, '2020-01-01' from generate_series(1, 400) n returning *)
     insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source)
     select organization_id, location_id, id, '2026-11-18', '21:00', 2, 'completed', 'pms' from c`,
    [other.id, other.locations[0]?.id],
  )
  ;({ guests, visits, tierRanks } = people)
})
beforeEach(() => stack.sql(emptyTables('automations', 'messages')))
afterAll(() => stack?.close())

const automate = (automation: NewAutomation) => createAutomation(stack, group.id, automation)
const audience = async (id: string, now: string) => {
  const rows = await audienceOf(stack, id, now)
  expect(new Set(rows.map(({ dedupe_key }) => dedupe_key)).size).toBe(rows.length)
  return rows
}
const keysOf = async (id: string, now: string) =>
  (await audience(id, now)).map((row) => row.reservation_id ?? row.customer_id).sort()

describe('the audience is who an independent computation says', () => {
  const NOW = '2026-11-20T11:00:00Z'
  const cases: [string, NewAutomation, string][] = [
    ['birthdays of the coming week', { type: 'birthday' }, NOW],
    ['birthdays of today', { type: 'birthday', criteria: { days_before: 0 } }, NOW],
    [
      'birthdays across the end of the year',
      { type: 'birthday', criteria: { days_before: 30 } },
      '2026-12-20T12:00:00Z',
    ],
    ['birthdays in February of a common year', { type: 'birthday' }, '2027-02-22T12:00:00Z'],
    ['birthdays in February of a leap year', { type: 'birthday' }, '2028-02-22T12:00:00Z'],
    [
      'the 28th of February, common year',
      { type: 'birthday', criteria: { days_before: 0 } },
      '2027-02-28T12:00:00Z',
    ],
    [
      'the 28th of February, leap year',
      { type: 'birthday', criteria: { days_before: 0 } },
      '2028-02-28T12:00:00Z',
    ],
    ['the 29th of February', { type: 'birthday', criteria: { days_before: 0 } }, '2028-02-29T12:00:00Z'],
    [
      'the 1st of March, common year',
      { type: 'birthday', criteria: { days_before: 0 } },
      '2027-03-01T12:00:00Z',
    ],
    [
      'tomorrow in Madrid, today in the Canaries',
      { type: 'birthday', criteria: { days_before: 0 } },
      '2026-11-20T23:30:00Z',
    ],
    ['the same in summer', { type: 'birthday', criteria: { days_before: 0 } }, '2026-07-20T22:30:00Z'],
    ['New Year in Madrid first', { type: 'birthday', criteria: { days_before: 0 } }, '2026-12-31T23:30:00Z'],
    ['the inactive', { type: 'reengagement' }, NOW],
    [
      'the inactive with two visits',
      { type: 'reengagement', criteria: { inactive_days: 30, min_visits: 2 } },
      NOW,
    ],
    ['gold and above', { type: 'vip_reward' }, NOW],
    ['silver and above', { type: 'vip_reward', criteria: { min_tier: 'Plata' } }, NOW],
    ['those who spent much', { type: 'vip_reward', criteria: { min_spend: 1500 } }, NOW],
    ['either', { type: 'vip_reward', criteria: { min_tier: 'Platino', min_spend: 2500 } }, NOW],
    ['a tier that is not there', { type: 'vip_reward', criteria: { min_tier: 'Diamante' } }, NOW],
    ['recent visitors', { type: 'post_visit' }, NOW],
    [
      'visitors of today',
      { type: 'post_visit', criteria: { hours_after: 0, window_hours: 12 } },
      '2026-11-21T00:40:00Z',
    ],
    ['those who missed their table', { type: 'no_show' }, NOW],
    [
      'those who missed their table of today',
      { type: 'no_show', criteria: { hours_after: 0, window_hours: 12 } },
      '2026-11-21T00:40:00Z',
    ],
    ['expected parties', { type: 'reservation_confirmation' }, NOW],
    ['expected parties after midnight', { type: 'reservation_confirmation' }, '2026-11-20T23:45:00Z'],
  ]

  it.each(cases)('%s', async (_, automation, now) => {
    const expected = matches(automation, guests, visits, tierRanks, new Date(now))
    expect(await keysOf(await automate(automation), now)).toEqual(expected)
    const none = [
      'a tier that is not there',
      'the 1st of March, common year',
      'the 28th of February, leap year',
    ]
    if (!none.includes(_)) expect(expected.length, 'an empty audience proves nothing').toBeGreaterThan(0)
  })

  it.each(['birthday' as const, ...ABOUT_BOOKINGS])(
    '%s, at every hour of a day: the clocks differ between the locations',
    async (type) => {
      const criteria = type === 'birthday' ? { days_before: 0 } : {}
      const id = await automate({ type, criteria })
      for (let hour = 0; hour < 24; hour++) {
        const now = new Date(Date.parse('2026-11-20T00:10:00Z') + hour * 3_600_000)
        const expected = matches({ type, criteria }, guests, visits, tierRanks, now)
        expect(await keysOf(id, now.toISOString()), now.toISOString()).toEqual(expected)
      }
    },
  )

  it.each(AUTOMATION_TYPES)('%s within its filters', async (type) => {
    const filters: Partial<NewAutomation>[] = [
      { location_ids: [String(group.locations[1]?.id)] },
      { tags: ['terraza', 'nada'] },
      { tier_ids: Object.keys(tierRanks).slice(2) },
      { location_ids: [String(group.locations[0]?.id)], tags: ['vip'], tier_ids: Object.keys(tierRanks) },
    ]
    for (const filter of filters) {
      const automation = {
        type,
        ...(type === 'birthday' ? { criteria: { days_before: 60 } } : {}),
        ...filter,
      }
      const expected = matches(automation, guests, visits, tierRanks, new Date(NOW))
      expect(expected.length).toBeGreaterThan(0)
      expect(await keysOf(await automate(automation), NOW)).toEqual(expected)
    }
  })
})

it.each(AUTOMATION_TYPES)('%s is marketing for the form and for a run, or for neither', async (type) => {
  const [row] = await stack.sql<{ kind: string }>(
    'select private.kind_of(a) as kind from public.automations a where a.id = $1',
    [await automate({ type })],
  )
  expect(row?.kind === 'marketing').toBe(isMarketing(type))
})

describe('nobody is written to twice about the same', () => {
  const NOW = '2026-11-20T11:00:00Z'
  const later = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString()
  /** Everyone the automation matches gets a message at `now` that ends in `status`. */
  const write = async (automation: string, now: string, status: string) =>
    stack.sql(
      `insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, reservation_id, channel, status,
         dedupe_key, created_at)
       select $3, 'marketing', 'post_visit', $1::uuid, a.customer_id, a.reservation_id, 'email', $4, a.dedupe_key, $2
       from jsonb_to_recordset($5) as a (customer_id uuid, reservation_id uuid, dedupe_key text)`,
      [automation, now, group.id, status, JSON.stringify(await audienceOf(stack, automation, now))],
    )

  it.each([
    ['birthday', 0.1, 366],
    ['reengagement', 89, 90],
    ['vip_reward', 59, 60],
  ] as const)('%s: not after %d days, but after %d', async (type, soon, late) => {
    const id = await automate({ type })
    const before = await audience(id, NOW)
    for (const status of ['queued', 'sending', 'sent', 'delivered', 'unknown']) {
      await stack.sql(emptyTables('messages'))
      await write(id, NOW, status)
      const again = new Set((await audience(id, later(soon))).map(({ customer_id }) => customer_id))
      expect(
        before.filter(({ customer_id }) => again.has(customer_id)),
        status,
      ).toEqual([])
    }
    const then = await audience(id, later(late))
    const keys = new Set(before.map(({ dedupe_key }) => dedupe_key))
    expect(then.length).toBeGreaterThan(0)
    expect(then.filter(({ dedupe_key }) => keys.has(dedupe_key))).toEqual([])
    const customers = new Set(then.map(({ customer_id }) => customer_id))
    expect(before.some(({ customer_id }) => customers.has(customer_id))).toBe(true)
  })

  it.each(ABOUT_BOOKINGS)('%s: once a reservation', async (type) => {
    const id = await automate({ type })
    expect(await keysOf(id, NOW)).not.toEqual([])
    await write(id, NOW, 'sent')
    expect(await keysOf(id, NOW)).toEqual([])
    expect(await keysOf(await automate({ type }), NOW)).not.toEqual([])
  })

  it.each(AUTOMATION_TYPES)('%s: what was skipped or failed does not count', async (type) => {
    const id = await automate({ type })
    const before = await keysOf(id, NOW)
    for (const status of ['skipped', 'failed']) {
      await stack.sql(emptyTables('messages'))
      await write(id, NOW, status)
      expect(await keysOf(id, NOW)).toEqual(before)
    }
  })
})
