import { addDays, clock } from './calendar'
import { NAMES, unaccented } from './names'
import type { Person } from './people'
import { createRandom, hashText, type Random } from './random'
import type { MappedRow, PmsRow, TruthRow } from './types'

export interface BulkOptions {
  seed: string
  slug: string
  /** First date of the window. */
  from: string
  /** Number of rows, at most a million. */
  count: number
  /** Guests to use first (those with an e-mail); more are made up when they are not enough. */
  people: readonly Person[]
  /** Length of the window; default 9. */
  days?: number
}

/**
 * Many clean rows, fast: the last day of the window `confirmed`, the days before `finished`, spread evenly and in
 * order of date, with `count / 2` different guests who each have an e-mail of their own.
 */
export function bulkRows(options: BulkOptions): PmsRow[] {
  return bulkTruths(options).map((truth) => truth.row)
}

/** The rows of `bulkRows` with their truth beside them. */
export function bulkTruths(options: BulkOptions): TruthRow[] {
  const { seed, slug, from, count, people, days = 9 } = options
  if (count > 1_000_000) throw new RangeError('bulkRows makes at most a million rows')
  const random = createRandom(`${seed}|bulk|${slug}|${from}`)
  const guests = bulkPeople(random, slug, people, Math.max(1, Math.floor(count / 2)))
  const dates = Array.from({ length: days }, (_, day) => addDays(from, day))
  // Far above the ids of ordinary rows, a million for each venue and window, and still a safe integer.
  const firstId = 10 ** 13 + hashText(`${slug}|${from}`) * 1_000_000

  return Array.from({ length: count }, (_, index) => {
    const day = Math.floor((index * days) / count)
    const person = guests[index % guests.length] as Person
    const confirmed = day === days - 1 && days > 1
    const row: MappedRow = {
      booking_id: String(firstId + index),
      customer_name: `${person.firstName} ${person.lastName}`,
      customer_email: person.email,
      customer_phone: person.phone,
      booking_date: dates[day] ?? from,
      booking_time: clock(random.pick([780, 1200]) + random.int(0, 12) * 15),
      party_size: random.int(1, 8),
      status: confirmed ? 'confirmed' : 'finished',
      notes: null,
      zone_name: 'Sala',
      table_name: String(random.int(1, 40)),
    }
    return {
      row,
      personId: person.id,
      person,
      externalId: row.booking_id,
      date: row.booking_date,
      time: row.booking_time,
      partySize: row.party_size,
      status: confirmed ? 'confirmed' : 'completed',
      visited: confirmed ? null : true,
      rawEmail: person.email,
      rawPhone: person.phone,
    }
  })
}

function bulkPeople(random: Random, slug: string, people: readonly Person[], count: number): Person[] {
  const guests = people.filter((person) => person.email).slice(0, count)
  const offset = hashText(slug) % 10_000_000
  for (let i = guests.length; i < count; i++) {
    const firstName = random.pick(NAMES.ES.first)
    const lastName = random.pick(NAMES.ES.last)
    const letters = unaccented(`${firstName}.${lastName}`).toLowerCase()
    guests.push({
      id: `bulk-${slug}-${i}`,
      firstName,
      lastName,
      email: `${letters}.${i}@${slug}.example`,
      // 69x is not used by the ordinary pool.
      phone: `+3469${String((offset + i * 7_919) % 10_000_000).padStart(7, '0')}`,
      homeSlug: slug,
      frequency: 1,
    })
  }
  return guests
}
