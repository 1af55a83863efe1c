import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { kept } from '@/lib/i18n/kept'
import type { SegmentCondition, SegmentNode } from '@/lib/segments/schema'
import { type Cuts, rfmClass, rhythmOf } from './rhythm-oracle'

export interface OracleVisit {
  location: string
  /** The service day. */
  day: string
  /** HH:MM; before 06:00 it is of the day after. */
  time: string
  status: string
  source: string
  service_over: boolean
  counts_unmarked: boolean
  party_size: number
  amount: number | null
  answer: { score: number; at: string } | null
}
export interface OracleMessage {
  kind: string
  status: string
  /** The automation; null for a message that a person wrote. */
  automation: string | null
  sent_at: string
  events: { kind: string; link: string; actor: string; at: string }[]
}
export interface OracleGuest {
  name: string
  email: string | null
  phone: string | null
  whatsapp_id: string | null
  birth_date: string | null
  tags: string[]
  source: string | null
  location: string | null
  tier: string | null
  points: number
  total_visits: number
  total_spend: number
  last_visit_at: string | null
  /** The service day of the last visit. */
  last_visit_on: string | null
  created_at: string
  consents: Record<string, { basis?: string; source?: string }>
  facts: string[]
  visits: OracleVisit[]
  postal_code: string | null
  city: string | null
  /** Null: the group's. */
  language: GuestLanguage | null
  messages: OracleMessage[]
}
export interface OracleWorld {
  now: Date
  timeZone: string
  /** The group's. */
  language: GuestLanguage
  /** Time zone by location, where it is not the group's. */
  zones?: Record<string, string>
  /** Average spend by location. */
  averages: Record<string, number | null>
  /** `channel:address` of everyone who opted out. */
  optedOut: Set<string>
  /** The fifths of the group, for RFM; null before the first night. */
  cuts: Cuts | null
  /** The automations that are the messages of each campaign. */
  campaigns: Record<string, string[]>
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Whether a guest belongs to a segment: plain TypeScript over one guest, sharing no code with the database. */
export function belongs(guest: OracleGuest, node: SegmentNode, world: OracleWorld): boolean {
  if ('and' in node) return node.and.every((part) => belongs(guest, part, world))
  if ('or' in node) return node.or.some((part) => belongs(guest, part, world))
  if ('not' in node) return !belongs(guest, node.not, world)
  return meets(guest, node, world)
}

function meets(guest: OracleGuest, condition: SegmentCondition, world: OracleWorld): boolean {
  switch (condition.field) {
    case 'search':
      return isFound(guest, condition.text)
    case 'tags':
      return choose(condition.is, condition.tags, guest.tags)
    case 'facts':
      return choose(condition.is, condition.codes, guest.facts)
    case 'tier':
      return condition.tiers.some((tier) => tier === guest.tier)
    case 'location':
      return condition.locations.some((location) => location === guest.location)
    case 'source':
      return condition.sources.some((source) => source === guest.source)
    case 'consent':
      return consentIs(guest, condition, world)
    case 'points':
      return isBetween(guest.points, condition)
    case 'visits': {
      if (!condition.period && !condition.locations) return isBetween(guest.total_visits, condition)
      return isBetween(visitsOf(guest, condition, world).length, condition)
    }
    case 'spend': {
      if (!condition.period && !condition.locations) return isBetween(guest.total_spend, condition)
      const spent = visitsOf(guest, condition, world).reduce(
        (sum, { amount, party_size, location }) =>
          sum + (amount ?? party_size * (world.averages[location] ?? 0)),
        0,
      )
      return isBetween(spent, condition)
    }
    case 'no_shows':
      return isBetween(noShows(guest), condition)
    case 'no_show_rate': {
      const tonight = guest.visits.filter(({ service_over }) => !service_over)
      const missed = noShows(guest) - noShows({ visits: tonight })
      const decided = missed + guest.total_visits - tonight.filter(cameThen).length
      return decided >= 3 && isBetween((missed * 100) / decided, condition)
    }
    case 'rhythm': {
      const days = guest.visits.filter(cameThen).map(({ day }) => day)
      const rhythm = rhythmOf(days, today(world))
      return condition.is === 'overdue' ? (rhythm?.isOverdue ?? false) : rhythm?.state === condition.is
    }
    case 'rfm': {
      const found = world.cuts && rfmClass(guest, world.cuts, world.now)
      return found !== null && condition.classes.includes(found)
    }
    case 'last_visit':
      return isAt(guest.last_visit_at, condition, world, guest.last_visit_on)
    case 'created':
      return isAt(guest.created_at, condition, world)
    case 'birthday':
      return hasBirthday(guest.birth_date, condition, world)
    case 'booking':
      return guest.visits.some(
        (one) =>
          ['pending', 'confirmed'].includes(one.status) &&
          one.source !== 'import' &&
          (condition.locations ?? [one.location]).includes(one.location) &&
          isAhead(one, condition.days, world),
      )
    case 'received':
    case 'opened':
    case 'clicked':
    case 'not_written':
      return isWritten(guest, condition, world)
    case 'survey_score':
      return guest.visits.some(
        ({ answer }) =>
          answer !== null &&
          isBetween(answer.score, condition) &&
          Date.parse(answer.at) >= daysAgo(condition.days, world),
      )
    case 'visited_on': {
      const period = condition.days === undefined ? {} : { period: { days: condition.days } }
      return visitsOf(guest, period, world).some(
        ({ day, time }) =>
          condition.weekdays.includes(new Date(`${day}T12:00:00Z`).getUTCDay() || 7) &&
          (condition.shift ?? shiftAt(time)) === shiftAt(time),
      )
    }
    case 'birthday_within':
      return hasBirthday(
        guest.birth_date,
        { field: 'birthday', is: 'next_days', days: condition.days },
        world,
      )
    case 'birthday_month': {
      const month = condition.month === 'next' ? (Number(today(world).slice(5, 7)) % 12) + 1 : condition.month
      return hasBirthday(guest.birth_date, { field: 'birthday', is: 'month', month }, world)
    }
    case 'postal_code': {
      const plain = (code: string) => code.replaceAll(' ', '').toUpperCase()
      const code = guest.postal_code
      return code !== null && condition.prefixes.some((prefix) => plain(code).startsWith(plain(prefix)))
    }
    case 'city': {
      const plain = (city: string) => fold(city).replace(/\s+/g, ' ')
      const { city } = guest
      return city !== null && condition.any.some((one) => plain(one) === plain(city))
    }
    case 'language':
      return condition.any.includes(guest.language ?? world.language)
    case 'party_size': {
      const usual = usualParty(guest)
      return usual !== null && isBetween(usual, condition)
    }
    case 'first_visit': {
      const first = visitsOf(guest, {}, world).sort((one, other) => (one.day < other.day ? -1 : 1))[0]
      return first !== undefined && visitsOf({ ...guest, visits: [first] }, condition, world).length > 0
    }
  }
}

type Written = 'received' | 'opened' | 'clicked' | 'not_written'
const daysAgo = (days: number | undefined, { now }: OracleWorld) =>
  days === undefined ? -Infinity : now.getTime() - days * DAY
/** Who books after midnight comes for dinner. */
const shiftAt = (time: string) => (time >= '06:00' && time < '17:00' ? 'lunch' : 'dinner')

function isWritten(
  guest: OracleGuest,
  condition: Extract<SegmentCondition, { field: Written }>,
  world: OracleWorld,
): boolean {
  const since = daysAgo(condition.days, world)
  const sent = guest.messages.filter(({ status }) => status === 'sent' || status === 'delivered')
  if (condition.field === 'not_written')
    return !sent.some(({ kind, sent_at }) => kind === 'marketing' && Date.parse(sent_at) >= since)
  const { field, campaign_id, automation_id } = condition
  const asked = sent.filter(
    ({ automation }) =>
      (campaign_id === undefined || world.campaigns[campaign_id]?.some((id) => id === automation)) &&
      (automation_id === undefined || automation_id === automation),
  )
  if (field === 'received') return asked.some(({ sent_at }) => Date.parse(sent_at) >= since)
  return asked.some(({ events }) =>
    events.some(
      ({ kind, link, actor, at }) =>
        actor !== 'machine' &&
        (field === 'opened' || (kind === 'click' && link !== 'unsubscribe')) &&
        Date.parse(at) >= since,
    ),
  )
}

/** The size of most visits, the larger of equals; null without a visit. */
function usualParty({ visits }: OracleGuest): number | null {
  const sizes = visits.filter(cameThen).map(({ party_size }) => party_size)
  const times = (size: number) => sizes.filter((one) => one === size).length
  return sizes.sort((one, other) => times(other) - times(one) || other - one)[0] ?? null
}

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

function isFound({ name, email, phone }: OracleGuest, asked: string): boolean {
  const text = [name, email, phone].map((part) => fold(part ?? '')).join(' ')
  const words = /^[+\d][\d\s()./-]{3,}$/.test(asked) ? [asked.replace(/\D/g, '')] : asked.split(/\s+/)
  return words.every((word) => text.includes(fold(word)))
}

function choose(how: 'any' | 'all' | 'none', wanted: readonly string[], has: readonly string[]): boolean {
  const held = wanted.filter((one) => has.includes(one)).length
  return how === 'any' ? held > 0 : how === 'none' ? held === 0 : held === new Set(wanted).size
}

const isBetween = (value: number, { min = -Infinity, max = Infinity }: { min?: number; max?: number }) =>
  value >= min && value <= max

function consentIs(
  guest: OracleGuest,
  { channel, state }: Extract<SegmentCondition, { field: 'consent' }>,
  { optedOut }: OracleWorld,
): boolean {
  const { basis: recorded, source } = guest.consents[channel] ?? {}
  const basis =
    recorded === 'opt_in' || recorded === 'existing_customer'
      ? recorded
      : source !== 'staff' && guest.total_visits > 0
        ? 'existing_customer'
        : 'none'
  const address = { email: guest.email, sms: guest.phone, whatsapp: guest.phone ?? guest.whatsapp_id }[
    channel
  ]
  const others = channel === 'whatsapp' ? [guest.whatsapp_id] : []
  const isOut = [address, ...others].some((one) => one !== null && optedOut.has(`${channel}:${one}`))
  if (state === 'opted_out') return isOut
  if (state === 'reachable') return address !== null && basis !== 'none' && !isOut
  if (state === 'opt_in') return recorded === 'opt_in'
  return basis === state
}

const timeIn = kept(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
)
const dateIn = kept((timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }))
/** The day that the group's clock shows. */
const today = ({ now, timeZone }: OracleWorld) => dateIn(timeZone).format(now)
const plus = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** A service day ends at 06:00. */
function isAhead({ location, day, time }: OracleVisit, days: number, world: OracleWorld): boolean {
  const timeZone = world.zones?.[location] ?? world.timeZone
  const service = today({ ...world, timeZone, now: new Date(world.now.getTime() - 6 * HOUR) })
  return (
    `${time < '06:00' ? plus(day, 1) : day} ${time}:00` > timeIn(timeZone).format(world.now) &&
    day <= plus(service, days)
  )
}

const cameThen = (one: OracleVisit) =>
  one.source !== 'import' &&
  (one.status === 'completed' ||
    (one.service_over && (one.status === 'seated' || (one.status === 'confirmed' && one.counts_unmarked))))

function visitsOf(
  guest: OracleGuest,
  { period, locations }: Pick<Extract<SegmentCondition, { field: 'visits' }>, 'period' | 'locations'>,
  world: OracleWorld,
): OracleVisit[] {
  const [from, to] = !period
    ? ['', '9']
    : 'days' in period
      ? [plus(today(world), -period.days), today(world)]
      : [period.from ?? '', period.to ?? '9']
  return guest.visits.filter(
    (one) =>
      cameThen(one) &&
      one.day >= from &&
      one.day <= to &&
      (locations ?? [one.location]).includes(one.location),
  )
}

const noShows = ({ visits }: Pick<OracleGuest, 'visits'>) =>
  visits.filter(({ status, source }) => status === 'no_show' && source !== 'import').length

function isAt(
  at: string | null,
  condition: Extract<SegmentCondition, { field: 'last_visit' | 'created' }>,
  world: OracleWorld,
  on?: string | null,
): boolean {
  if (condition.is === 'never') return at === null
  if (at === null) return false
  if (condition.is === 'between') {
    const day = on ?? today({ ...world, now: new Date(at) })
    return day >= (condition.from ?? '') && day <= (condition.to ?? '9')
  }
  const since = world.now.getTime() - condition.days * DAY
  return condition.is === 'within' ? Date.parse(at) >= since : Date.parse(at) < since
}

/** The age on a day, in years. */
export const ageOf = (born: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(born.slice(0, 4)) - (day.slice(5) < born.slice(5) ? 1 : 0)

function hasBirthday(
  born: string | null,
  condition: Extract<SegmentCondition, { field: 'birthday' }>,
  world: OracleWorld,
): boolean {
  const from = today(world)
  if (born === null || ageOf(born, from) > 110) return false
  if (condition.is === 'this_month') return born.slice(5, 7) === from.slice(5, 7)
  if (condition.is === 'month') return Number(born.slice(5, 7)) === condition.month
  return Array.from({ length: condition.days + 1 }, (_, n) => plus(from, n)).some((day) => {
    // Of 29 February a common year celebrates on the 28th.
    const isLeap = plus(`${day.slice(0, 4)}-02-28`, 1).endsWith('02-29')
    return day.slice(5) === (born.endsWith('02-29') && !isLeap ? '02-28' : born.slice(5))
  })
}
