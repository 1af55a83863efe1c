import { emailAddress, phoneNumber } from './contacts'
import { type Country, NAMES } from './names'
import { createRandom, type Random } from './random'

export interface Person {
  id: string
  firstName: string
  /** Two last names for Spanish people. */
  lastName: string
  /** Lower-case ASCII, unique. */
  email: string | null
  /** E.164; unique except inside a family. */
  phone: string | null
  /** The venue this person usually goes to. */
  homeSlug: string
  /** Relative number of visits; only the ratio between people matters. */
  frequency: number
  /** What the house knows of this person, in Spanish. */
  notes?: string
  /** Set on members of a family that shares one phone. */
  familyId?: string
}

const COUNTRIES = [
  ['ES', 91],
  ['GB', 4],
  ['FR', 2],
  ['DE', 2],
  ['PT', 1],
] as const satisfies [Country, number][]

const CONTACTS: [{ email: boolean; phone: boolean }, number][] = [
  [{ email: true, phone: true }, 76],
  [{ email: false, phone: true }, 14],
  [{ email: true, phone: false }, 6],
  [{ email: false, phone: false }, 4],
]

/** What a venue notes down about a guest. */
export const NOTES = [
  'Alergia a frutos secos',
  'Alergia al marisco',
  'Celíaca: sin gluten',
  'Intolerante a la lactosa',
  'Vegetariano',
  'Prefiere terraza',
  'Mesa junto a la ventana',
]

const FAMILY_SHARE = 0.04

/**
 * A pool of guests, the same for the same options. About one in eight belongs to a family of two to four that
 * shares a phone.
 * @param options.count number of people
 * @param options.slugs venues the people belong to, in equal parts. Throws RangeError when empty.
 */
export function createPeople(options: { seed: string; count: number; slugs: readonly string[] }): Person[] {
  const { seed, count, slugs } = options
  const random = createRandom(`${seed}|people`)
  const emails = new Set<string>()
  const people: Person[] = []
  while (people.length < count) {
    const room = count - people.length
    const family = room >= 2 && random.chance(FAMILY_SHARE)
    if (family) people.push(...createFamily(people.length, Math.min(room, random.int(2, 4))))
    else people.push(createSingle(people.length))
  }
  return people

  function createSingle(index: number): Person {
    const country = random.weighted(COUNTRIES)
    const contact = random.weighted(CONTACTS)
    const person = createPerson(index, country, random.pick(slugs), lastName(random, country))
    if (contact.email) person.email = emailAddress(random, person.firstName, person.lastName, emails)
    if (contact.phone) person.phone = phoneNumber(seed, country, index)
    return person
  }

  function createFamily(start: number, size: number): Person[] {
    const homeSlug = random.pick(slugs)
    const shared = random.pick(NAMES.ES.last)
    const onlyOneEmail = random.chance(0.2)
    return Array.from({ length: size }, (_, i) => {
      const person = createPerson(start + i, 'ES', homeSlug, `${shared} ${random.pick(NAMES.ES.last)}`)
      if (i === 0 || !onlyOneEmail)
        person.email = emailAddress(random, person.firstName, person.lastName, emails)
      return {
        ...person,
        phone: phoneNumber(seed, 'ES', start),
        familyId: `f${String(start + 1).padStart(5, '0')}`,
      }
    })
  }

  function createPerson(index: number, country: Country, homeSlug: string, last: string): Person {
    const person: Person = {
      id: `p${String(index + 1).padStart(5, '0')}`,
      firstName: random.pick(NAMES[country].first),
      lastName: last,
      email: null,
      phone: null,
      homeSlug,
      frequency: frequency(random, country),
    }
    if (random.chance(0.07)) person.notes = random.pick(NOTES)
    return person
  }
}

function lastName(random: Random, country: Country): string {
  const names = NAMES[country].last
  return country === 'ES' ? `${random.pick(names)} ${random.pick(names)}` : random.pick(names)
}

// A power law over the person's place in the ranking: a few regulars, a long tail of people who come once or twice.
function frequency(random: Random, country: Country): number {
  const visits = 1 / (random.next() + 0.02) ** 0.9
  return country === 'ES' ? visits : visits * 0.5
}
