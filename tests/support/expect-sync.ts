import { kept } from '@/lib/i18n/kept'
import type { TruthRow } from '../fakes/pms/types'

interface Rule {
  tier: string
  rank: number
  min_spend: number
  min_visits: number
}

/** What one location's sync brought, from the simulator's ledger: its place in the run and the truth rows. */
export interface ServedLocation {
  locationId: string
  averageSpend: number
  rules: Rule[]
  timezone: string
  truths: TruthRow[]
}

interface ExpectedCustomer {
  email: string | null
  aliases: string[]
  /** In which of the syncs they became known. */
  since: number
  phone: string | null
  first: string | null
  last: string | null
}

interface ExpectedReservation {
  external_id: string
  location_id: string
  date: string
  time: string
  party_size: number
  status: string
  visited: boolean | null
  customer: ExpectedCustomer | null
  spend: number
}

interface Booking {
  truth: TruthRow
  email: string | null
  phone: string | null
  first: string | null
  last: string | null
}

const plain = (...parts: (string | null)[]) =>
  parts
    .filter(Boolean)
    .join(' ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** The words of a name in alphabetical order: two people with the same words have the same name. */
const keyOf = ({ first, last }: { first: string | null; last: string | null }) =>
  plain(first, last)
    .split(/[\s,]+/)
    .filter(Boolean)
    .sort()
    .join(' ')

/**
 * What a first sync into an empty database must leave behind, worked out person by person from the ledger's
 * truth (real e-mail and phone of the booking person), sharing no code with the parser or the SQL function.
 */
export function expectSync(served: ServedLocation[]) {
  const customers: ExpectedCustomer[] = []
  const reservations: ExpectedReservation[] = []
  const held = new Map<ExpectedCustomer, Rule>()
  let summaries: ReturnType<typeof summarise>[] = []
  for (const [since, location] of served.entries()) {
    const bookings = location.truths.map(toBooking)
    const owner = matchCustomers(customers, bookings, since)
    for (const booking of bookings) {
      const { externalId, date, time, partySize, status, visited } = booking.truth
      const spend = visited ? partySize * location.averageSpend : 0
      const customer = owner.get(booking) ?? null
      const place = { location_id: location.locationId, date, time, party_size: partySize, status, visited }
      reservations.push({ external_id: externalId, ...place, customer, spend })
    }
    const perCustomer = Map.groupBy(reservations, ({ customer }) => customer)
    // Tiers are raised after each location and never lost, so a customer may keep one of a former home.
    summaries = customers.map((customer) =>
      summarise(customer, perCustomer.get(customer) ?? [], served, held),
    )
  }
  return { reservations, customers: summaries }
}

function toBooking(truth: TruthRow): Booking {
  const row = truth.row as unknown as Record<string, string | null | undefined>
  const squeeze = (text: string | null | undefined) => text?.trim().split(/\s+/).join(' ') || null
  const whole = squeeze(row.customer_name)
  const [head, ...tail] = whole?.split(' ') ?? []
  const first = whole ? (head ?? null) : squeeze(row.client_name)
  const last = whole ? tail.join(' ') || null : squeeze(row.client_surname)
  const email = truth.rawEmail ? (truth.person?.email ?? null) : null
  const phone = truth.rawPhone ? (truth.person?.phone ?? null) : null
  return { truth, email, phone, first, last }
}

/** Finds or makes the customer of each booking: e-mails settle first, then phones; then profiles are refreshed. */
function matchCustomers(
  customers: ExpectedCustomer[],
  bookings: Booking[],
  since: number,
): Map<Booking, ExpectedCustomer> {
  const owner = new Map<Booking, ExpectedCustomer>()
  const known = new Set(customers)
  const latestFirst = bookings
    .map((booking, index) => ({
      booking,
      order: `${booking.truth.date} ${booking.truth.time} ${String(index).padStart(6, '0')}`,
    }))
    .sort((a, b) => (a.order < b.order ? 1 : -1))
    .map(({ booking }) => booking)

  const emails = [...new Set(bookings.flatMap(({ email }) => email ?? []))]
  const taken = new Set<ExpectedCustomer>()
  // A blank e-mail is filled last: these bookings do not count as under the customer's own.
  const filled = new Map<ExpectedCustomer, string>()
  const settle = (email: string, customer: ExpectedCustomer) => {
    for (const booking of bookings) if (booking.email === email) owner.set(booking, customer)
    if (customer.email || filled.has(customer)) customer.aliases.push(email)
    else filled.set(customer, email)
    taken.add(customer)
  }
  const open = () => emails.filter((email) => !bookings.some((one) => one.email === email && owner.has(one)))
  for (const email of emails) {
    const customer =
      customers.find((one) => one.email === email) ?? customers.find((one) => one.aliases.includes(email))
    if (customer) for (const booking of bookings) if (booking.email === email) owner.set(booking, customer)
  }
  // The same name on the same phone; who has no e-mail comes first.
  const mailless = new Set(customers.filter(({ email }) => !email))
  for (const email of open()) {
    const same = bookings
      .filter((booking) => booking.email === email)
      .map((booking) => customers.filter((one) => samePerson(booking, one)).sort(oldFirst))
      .find((found) => found.length > 0)
    const customer = same?.find((one) => mailless.has(one)) ?? same?.[0]
    if (customer) settle(email, customer)
  }
  for (const email of open()) {
    const mine = bookings.filter((booking) => booking.email === email)
    // A row without a name says nothing beside one with a name.
    const telling = mine.filter((booking) => keyOf(booking) !== '')
    const adoptable = (telling.length > 0 ? telling : mine)
      .map((booking) => customers.find((one) => mailless.has(one) && !taken.has(one) && mayBe(booking, one)))
      .find((one) => one !== undefined)
    if (adoptable) settle(email, adoptable)
  }
  const made: ExpectedCustomer[] = []
  for (const email of open()) {
    const own = latestFirst.filter((booking) => booking.email === email)
    const named = own.find((booking) => keyOf(booking) !== '')
    const phone = own.find((booking) => booking.phone)?.phone ?? null
    const person = { phone, first: named?.first ?? null, last: named?.last ?? null }
    let customer = made.find((one) => samePerson(person, one))
    if (customer) settle(email, customer)
    else {
      customer = { email, aliases: [], since, ...person }
      made.push(customer)
      for (const booking of own) owner.set(booking, customer)
    }
  }
  customers.push(...made)
  // Whoever has an e-mail counts with the phone and the name that this batch gives them.
  const counted = new Map(customers.map((one) => [one, fillFrom(one, latestFirst, owner)]))
  const as = (one: ExpectedCustomer) => counted.get(one) ?? one
  for (const booking of bookings.filter(({ email, phone }) => !email && phone)) {
    const sharing = customers.filter((candidate) => as(candidate).phone === booking.phone)
    const settled = sharing.filter((candidate) => candidate.email || known.has(candidate))
    const pool = settled.length > 0 ? settled : sharing
    pool.sort(oldFirst)
    let customer = pool.find((one) => keyOf(booking) !== '' && keyOf(as(one)) === keyOf(booking)) ?? pool[0]
    if (!customer) {
      const named = latestFirst.find(
        (other) => !other.email && other.phone === booking.phone && keyOf(other) !== '',
      )
      customer = {
        email: null,
        aliases: [],
        since,
        phone: booking.phone,
        first: named?.first ?? null,
        last: named?.last ?? null,
      }
      customers.push(customer)
    }
    owner.set(booking, customer)
  }
  for (const customer of new Set(owner.values())) {
    const mine = latestFirst.filter((booking) => owner.get(booking) === customer)
    const own = mine.filter((booking) => booking.email && booking.email === customer.email)
    const named = [...own, ...mine.filter((booking) => !own.includes(booking))].find(
      (booking) => keyOf(booking) !== '',
    )
    const ownName = own.some((booking) => keyOf(booking) !== '')
    if (named && keyOf(named) !== keyOf(customer) && (ownName || keyOf(customer) === '')) {
      customer.first = named.first
      customer.last = named.last
    }
    customer.phone = own.find((booking) => booking.phone)?.phone ?? customer.phone
    customer.email ??= filled.get(customer) ?? null
  }
  return owner
}

const oldFirst = (a: ExpectedCustomer, b: ExpectedCustomer) =>
  a.since - b.since || ((a.email ?? '~') < (b.email ?? '~') ? -1 : 1)

type Identity = Pick<ExpectedCustomer, 'phone' | 'first' | 'last'>

const samePerson = (one: Identity, other: Identity) =>
  one.phone !== null && one.phone === other.phone && keyOf(one) !== '' && keyOf(one) === keyOf(other)

/** The phone and name of a customer, blanks filled from the latest bookings under their e-mails. */
function fillFrom(
  customer: ExpectedCustomer,
  latestFirst: Booking[],
  owner: Map<Booking, ExpectedCustomer>,
): Identity {
  const mine = latestFirst.filter((booking) => booking.email && owner.get(booking) === customer)
  const fill = (part: 'phone' | 'first' | 'last') =>
    customer[part] || (mine.find((booking) => booking[part])?.[part] ?? null)
  return { phone: fill('phone'), first: fill('first'), last: fill('last') }
}

/** Whether the names agree: one has all words of the other, or is empty. */
function mayBe(one: Identity, other: Identity): boolean {
  const [ours, theirs] = [keyOf(one), keyOf(other)].map((key) => key.split(' ').filter(Boolean))
  const within = (some: string[] = [], all: string[] = []) => some.every((word) => all.includes(word))
  return one.phone !== null && one.phone === other.phone && (within(ours, theirs) || within(theirs, ours))
}

function summarise(
  customer: ExpectedCustomer,
  mine: ExpectedReservation[],
  served: ServedLocation[],
  held: Map<ExpectedCustomer, Rule>,
) {
  const visits = mine.filter((reservation) => reservation.visited)
  const spend = visits.reduce((total, visit) => total + visit.spend, 0)
  let home = { id: '', bookings: 0, latest: 0 }
  for (const { locationId, timezone } of served) {
    const here = mine.filter((reservation) => reservation.location_id === locationId)
    const latest = Math.max(0, ...here.map(({ date, time }) => instant(date, time, timezone)))
    const [more, later] = [here.length - home.bookings, latest - home.latest]
    const better = more > 0 || (more === 0 && (later > 0 || (later === 0 && locationId < home.id)))
    if (here.length > 0 && better) home = { id: locationId, bookings: here.length, latest }
  }
  const rules = served.find(({ locationId }) => locationId === home.id)?.rules ?? []
  for (const rule of rules) {
    const met = spend >= rule.min_spend && visits.length >= rule.min_visits
    if (met && rule.rank > (held.get(customer)?.rank ?? 0)) held.set(customer, rule)
  }
  const tier = held.get(customer)?.tier ?? null
  return { ...customer, visits: visits.length, spend, location_id: home.id, tier }
}

const clockIn = kept(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
)

/** Milliseconds of a local time; the offset is read off the zone's own clock. */
export function instant(date: string, time: string, timezone: string): number {
  const guess = Date.parse(`${date}T${time}:00Z`)
  const shown = clockIn(timezone).format(guess)
  return guess - (Date.parse(`${shown.replace(' ', 'T')}Z`) - guess)
}
