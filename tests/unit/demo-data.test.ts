import { describe, expect, it } from 'vitest'
import { SEED_LOCATIONS } from '@/lib/organization/seed'
import type { Correspondent } from '../../scripts/demo/correspondents'
import { EVENTS } from '../../scripts/demo/event-texts'
import { guestHome } from '../../scripts/demo/guest-homes'
import { guestProfile } from '../../scripts/demo/guest-profile'
import { planMessages } from '../../scripts/demo/plan-messages'
import { DEMO_STAFF } from '../../scripts/demo/staff'
import { TICKETS } from '../../scripts/demo/ticket-texts'

const TODAY = '2026-11-21'
const PLACES = SEED_LOCATIONS.map(({ name }) => name)
const PEOPLE = DEMO_STAFF.map(({ email }) => email.split('@')[0])

describe('the texts of the demo', () => {
  it('names places and people that the demo has', () => {
    const places = [...TICKETS, ...EVENTS].flatMap(({ location }) => location ?? [])
    const people = [
      ...TICKETS.flatMap(({ requester, assignee, comments = [] }) => [
        requester,
        assignee ?? requester,
        ...comments.map(([author]) => author),
      ]),
      ...EVENTS.map(({ assignee }) => assignee),
    ]
    expect(places.filter((place) => !PLACES.includes(place))).toEqual([])
    expect(people.filter((person) => !PEOPLE.includes(person))).toEqual([])
  })

  it('has tickets of every status and priority, no comment before its ticket, and some that are late', () => {
    expect(new Set(TICKETS.map(({ status }) => status)).size).toBe(5)
    expect(new Set(TICKETS.map(({ priority }) => priority)).size).toBe(4)
    for (const { hoursAgo, comments = [] } of TICKETS)
      expect(comments.every(([, hours]) => hours < hoursAgo)).toBe(true)
    expect(
      TICKETS.some(
        ({ status, priority, hoursAgo }) => status === 'open' && priority === 'high' && hoursAgo > 8,
      ),
    ).toBe(true)
  })
})

it('a guest is the same each time, and one has a birthday today', () => {
  expect(guestProfile('ana@correo.example', TODAY, 2)).toEqual(guestProfile('ana@correo.example', TODAY, 2))
  expect(guestProfile('ana@correo.example', TODAY, 2).birth_date).toMatch(/^(19|20)\d\d-11-21$/)
  expect(guestProfile('ana@correo.example', '2028-02-29', 2).birth_date).toMatch(/-02-28$/)
})

it('guests live near the location or come from abroad, and some have a language of their own', () => {
  const homes = (phone: string, near: string) =>
    Array.from({ length: 400 }, (_, n) =>
      guestHome(`g${n}@correo.example`, { phone, last_name: 'Gil Sanz' }, near),
    )
  const languages = (given: ReturnType<typeof homes>) => new Set(given.map(({ language }) => language))
  const barcelona = homes('+34612345678', 'Barcelona')
  expect(languages(barcelona)).toEqual(new Set([null, 'ca', 'es']))
  expect(barcelona.filter(({ language }) => language === null).length).toBeGreaterThan(200)
  expect(new Set(barcelona.map(({ city }) => city))).toContain('Badalona')
  expect(languages(homes('+34612345678', 'Madrid'))).toEqual(new Set([null, 'es']))
  expect(languages(homes('+491512345678', 'Madrid'))).toEqual(new Set([null, 'de']))
  expect(guestHome('a', { phone: null, last_name: 'Lefèvre' }, 'Madrid').city ?? 'Paris').not.toBe('Madrid')
  for (const { city } of SEED_LOCATIONS)
    expect(new Set(homes('+34612345678', city).map((home) => home.city)).size, city).toBeGreaterThan(3)
})

describe('the messages of the last months', () => {
  const visit = (id: string, reservation_date: string) => ({
    ...{ id, reservation_date, location_id: 'l', reservation_time: '21:00:00', party_size: 2 },
    status: 'completed',
    visited: true,
  })
  const person = (email: string, dates: string[], birth_date: string | null = null) =>
    ({
      email,
      birth_date,
      total_visits: dates.length,
      reservations: dates.map((date) => visit(date, date)),
    }) as Correspondent

  it('a birthday is written about once, within the week before it', () => {
    const planned = planMessages(person('a@correo.example', [], '1980-11-14'), TODAY)
    expect(planned).toMatchObject([{ type: 'birthday', ago: 9 }])
    expect(planMessages(person('a@correo.example', [], '1980-12-24'), TODAY)).toEqual([])
  })

  it('no guest counts as missed after a visit in the last 90 days', () => {
    const everyone = Array.from({ length: 200 }, (_, n) => `p${n}@correo.example`)
    const types = (dates: string[]) =>
      new Set(everyone.flatMap((email) => planMessages(person(email, dates), TODAY).map(({ type }) => type)))
    const regular = ['2026-02-01', '2026-03-01', '2026-04-01', '2026-06-01']
    expect(types(regular).has('reengagement')).toBe(true)
    expect(types(['2026-06-01']).has('reengagement')).toBe(false)
    expect(types([...regular, '2026-08-20', '2026-11-01']).has('reengagement')).toBe(false)
  })
})
