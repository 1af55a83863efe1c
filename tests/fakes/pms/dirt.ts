import { unaccented } from './names'
import type { Person } from './people'
import type { Random } from './random'

/** Contact data as a host or a booking form typed them; null when this row carries none. */
export interface RawContact {
  first: string
  last: string
  email: string | null
  phone: string | null
}

/**
 * Writes a person's data down the way busy people do. A row of a person with contact data always keeps at least one
 * of the two, and an e-mail inside a family is never left out: there it distinguishes the members.
 */
export function rawContact(random: Random, person: Person): RawContact {
  const drop = random.next()
  const [first, last] = rawName(random, person)
  const email = person.email && rawEmail(random, person.email)
  const phone = person.phone && rawPhone(random, person.phone)
  if (email && phone && drop < 0.08 && !person.familyId) return { first, last, email: null, phone }
  if (email && phone && drop > 0.97) return { first, last, email, phone: null }
  return { first, last, email, phone }
}

/** A missing field in one of its three disguises; undefined stands for a field left out. */
export function missing(random: Random): '' | null | undefined {
  return random.pick(['', null, undefined])
}

function rawName(random: Random, person: Person): [string, string] {
  const { firstName, lastName } = person
  const oneLast = lastName.split(' ')[0] ?? lastName
  return random.weighted<[string, string]>([
    [[firstName, lastName], 58],
    [[firstName, oneLast], 24],
    [[unaccented(firstName), unaccented(lastName)], 7],
    [[firstName.toUpperCase(), lastName.toUpperCase()], 5],
    [[firstName.toLowerCase(), oneLast.toLowerCase()], 4],
    [[` ${firstName} `, `${lastName} `], 2],
  ])
}

function rawEmail(random: Random, email: string): string {
  const capital = email.charAt(0).toUpperCase() + email.slice(1)
  return random.weighted([
    [email, 78],
    [capital, 7],
    [email.toUpperCase(), 5],
    [` ${email}`, 4],
    [`${email} `, 4],
    [` ${capital} `, 2],
  ])
}

function rawPhone(random: Random, phone: string): string {
  if (!phone.startsWith('+34')) {
    return random.weighted([
      [phone, 60],
      [`${phone.slice(0, 3)} ${phone.slice(3)}`, 20],
      [`00${phone.slice(1)}`, 20],
    ])
  }
  const n = phone.slice(3)
  return random.weighted([
    [`+34 ${n.slice(0, 3)} ${n.slice(3, 6)} ${n.slice(6)}`, 35],
    [n, 35],
    [`0034${n}`, 15],
    [`${n.slice(0, 3)}-${n.slice(3, 5)}-${n.slice(5, 7)}-${n.slice(7)}`, 15],
  ])
}
