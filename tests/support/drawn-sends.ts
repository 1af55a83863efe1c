import { createHash } from 'node:crypto'
import type { Random } from '../fakes/pms/random'

// Small groups with every reason why a message goes or does not, and in plain words what should happen to it.

export const CHANNELS = ['whatsapp', 'sms', 'email'] as const
type Channel = (typeof CHANNELS)[number]
const SUPPRESSIONS = ['unsubscribe', 'stop', 'manual', 'bounce', 'complaint'] as const

interface Place {
  id: string
  timezone: string
  quiet: readonly [string, string] | null
}
interface Suppression {
  channel: Channel
  address: string
  /** What happened, in this order. */
  history: (typeof SUPPRESSIONS)[number][]
}
interface Earlier {
  customer_id: string
  /** So many days and an hour ago. */
  days: number
  status: 'queued' | 'sent' | 'skipped' | 'failed' | 'unknown'
  /** The campaign's first message, which this one follows. */
  own: boolean
}
export interface Guest {
  id: string
  email: string | null
  phone: string | null
  whatsapp_id: string | null
  visits: number
  consents: Partial<Record<Channel, { basis: string; source: string }>>
  location_id: string | null
  /** They asked for one message a month at most. */
  monthly: boolean
  /** Brands of which they want nothing; the messages are of none alone. */
  muted: string[]
}
export interface DrawnGroup {
  id: string
  automation: string
  type: 'birthday' | 'vip_reward' | 'no_show' | 'reservation_confirmation' | 'campaign'
  channel: Channel
  fallback: Channel | null
  content_sid: string | null
  control_share: number
  after_days: number
  cap_days: number
  quiet: readonly [string, string]
  /** Of guests without a place. */
  timezone: string
  closed: Partial<Record<Channel, 'no_provider' | 'no_app_url'>>
  places: Place[]
  brands: string[]
  guests: Guest[]
  suppressions: Suppression[]
  earlier: Earlier[]
  /** Numbers that have written by WhatsApp within 24 hours. */
  windows: string[]
  now: Date
}

const ZONES = ['Europe/Madrid', 'Atlantic/Canary', 'America/New_York', 'Asia/Tokyo']
const QUIET = [
  ['21:30', '09:30'],
  ['13:00', '16:00'],
  ['00:00', '00:00'],
  ['23:00', '12:45'],
] as const

/** A UUID of the draw, so that a group is the same on every run. */
const uuid = (random: Random) => idOf(String(random.next()))
const idOf = (seed: string) =>
  createHash('md5')
    .update(seed)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

/** A mobile, or for one in five a landline. */
const ofGuest = (digits: number) => `${digits % 5 === 0 ? '+3491' : '+3461'}${digits}`

export function drawGroup(random: Random): DrawnGroup {
  const type = random.pick([
    'birthday',
    'vip_reward',
    'vip_reward',
    'no_show',
    'reservation_confirmation',
    'campaign',
  ] as const)
  const channel = random.pick(CHANNELS)
  const fallback = random.chance(0.6) ? random.pick(CHANNELS.filter((one) => one !== channel)) : null
  const places = ZONES.slice(0, random.int(1, 4)).map((timezone) => ({
    id: uuid(random),
    timezone,
    quiet: random.chance(0.4) ? random.pick(QUIET) : null,
  }))
  const after_days = random.pick([1, 3, 10])
  const [{ id: seed = '' } = {}] = places
  const brands = seed < '8' ? [idOf(`${seed} 1`), idOf(`${seed} 2`)].sort() : []
  const shared = `+3460${random.int(1000000, 9999999)}`
  const guests = Array.from({ length: random.int(3, 8) }, (): Guest => {
    const id = uuid(random)
    return {
      id,
      email: random.chance(0.7) ? `g${id.slice(0, 8)}@example.com` : null,
      phone: random.chance(0.7)
        ? random.chance(0.3)
          ? shared
          : ofGuest(random.int(1000000, 9999999))
        : null,
      whatsapp_id: random.chance(0.3) ? `ES.${id.slice(0, 8)}` : null,
      visits: random.pick([0, 0, 1, 5]),
      consents: drawConsents(random),
      location_id: random.chance(0.8) ? random.pick(places).id : null,
      ...wishesOf(id, brands),
    }
  }).sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    ...{ id: uuid(random), automation: uuid(random), type, channel, fallback, places, brands, guests },
    timezone: random.pick(ZONES),
    content_sid: random.chance(0.5) ? `HX${'0'.repeat(32)}` : null,
    control_share: type !== 'campaign' && random.chance(0.3) ? 30 : 0,
    after_days,
    cap_days: random.pick([0, 3, 7]),
    quiet: random.pick(QUIET),
    closed: drawClosed(random),
    suppressions: guests.flatMap((guest) => drawSuppressions(random, guest)),
    earlier: guests.flatMap(({ id }) => [
      ...drawEarlier(random, id),
      ...(type === 'campaign'
        ? [{ customer_id: id, days: after_days, status: 'sent' as const, own: true }]
        : []),
    ]),
    windows: guests.flatMap(({ phone, whatsapp_id }) =>
      random.chance(0.5) ? [phone ?? whatsapp_id].filter((one) => one !== null) : [],
    ),
    now: new Date(Date.UTC(2026, 10, 20, random.int(0, 23), random.int(0, 59))),
  }
}

/** What a guest chose on the page of an unsubscribe link; by a seed of its own, so that the other draws stay. */
export function wishesOf(seed: string, brands: readonly string[]): Pick<Guest, 'monthly' | 'muted'> {
  const [often = 0, which = 0] = createHash('md5').update(seed).digest()
  return { monthly: often % 5 === 0, muted: which % 5 === 0 ? brands.slice(0, 1 + (which % 2)) : [] }
}

function drawConsents(random: Random): Guest['consents'] {
  const consents: Guest['consents'] = {}
  for (const channel of CHANNELS)
    if (random.chance(0.5))
      consents[channel] = {
        basis: random.weighted([
          ['opt_in', 3] as const,
          ['existing_customer', 2] as const,
          ['none', 1] as const,
        ]),
        source: random.pick(['staff', 'import']),
      }
  return consents
}

export function drawClosed(random: Random): DrawnGroup['closed'] {
  const closed: DrawnGroup['closed'] = random.chance(0.25) ? { email: 'no_app_url' } : {}
  for (const channel of CHANNELS) if (random.chance(0.15)) closed[channel] = 'no_provider'
  return closed
}

/** @param share of the guest's addresses */
export function drawSuppressions(random: Random, guest: Guest, share = 0.2): Suppression[] {
  return CHANNELS.flatMap((channel) => {
    const address = random.pick(addressesOf(guest, channel))
    if (!address || !random.chance(share)) return []
    const history = [random.pick(SUPPRESSIONS), ...(random.chance(0.4) ? [random.pick(SUPPRESSIONS)] : [])]
    return [{ channel, address, history }]
  })
}

function drawEarlier(random: Random, customer_id: string): Earlier[] {
  if (!random.chance(0.3)) return []
  const status = random.pick(['queued', 'sent', 'skipped', 'failed', 'unknown'] as const)
  return [{ customer_id, days: random.pick([1, 2, 4, 6, 9]), status, own: false }]
}

/** The guest's address by a channel, then any other under which their opt-out may be stored. */
function addressesOf(guest: Guest, channel: Channel): (string | null)[] {
  if (channel === 'email') return [guest.email]
  if (channel === 'sms') return [guest.phone]
  return [guest.phone ?? guest.whatsapp_id, guest.whatsapp_id]
}

/** What was said of the addresses by the channel; a STOP by SMS or WhatsApp is about the number, so it holds for both. */
function saidBy({ suppressions }: DrawnGroup, channel: Channel, addresses: readonly (string | null)[]) {
  return suppressions
    .filter(({ address }) => addresses.includes(address))
    .flatMap(({ channel: by, address, history }) => {
      if (by === channel) return history
      const isNumber = by !== 'email' && channel !== 'email' && address.startsWith('+')
      return isNumber ? history.filter((what) => what === 'stop') : []
    })
}

export interface Expected {
  channel: Channel
  address: string | null
  reason: string | null
}

const isMarketing = (group: DrawnGroup) => group.type !== 'reservation_confirmation'

function basisOf(guest: Guest, channel: Channel): string {
  const record = guest.consents[channel]
  if (record && record.basis !== 'none') return record.basis
  if (record?.source === 'staff') return 'none'
  return guest.visits > 0 ? 'existing_customer' : 'none'
}

interface Way extends Expected {
  reaches: 'yes' | 'cannot' | 'said no'
  closed: boolean
}

function wayBy(group: DrawnGroup, guest: Guest, channel: Channel): Way {
  const marketing = isMarketing(group)
  const addresses = addressesOf(guest, channel)
  const address = addresses[0] ?? null
  const shut = group.closed[channel]
  const closed = shut === 'no_provider' || (shut === 'no_app_url' && marketing)
  const end = (reason: string | null, reaches: Way['reaches']): Way => ({
    channel,
    address,
    reason,
    reaches,
    closed,
  })
  const said = guest.consents[channel]
  if (marketing && said?.basis === 'none' && said.source === 'staff') return end('no_consent', 'said no')
  if (address === null) return end('no_address', 'cannot')
  const history = saidBy(group, channel, addresses)
  const stops = history.some((what) => marketing || what === 'bounce' || what === 'complaint')
  const saidNo = history.some((what) => what === 'complaint' || (marketing && what !== 'bounce'))
  if (stops) return end('suppressed', saidNo ? 'said no' : 'cannot')
  if (marketing && basisOf(guest, channel) === 'none') return end('no_consent', 'cannot')
  if (channel === 'sms' && /^\+34[89]/.test(address)) return end('not_mobile', 'cannot')
  if (closed) return end(shut as string, 'cannot')
  if (channel === 'whatsapp' && group.content_sid === null && !group.windows.includes(address))
    return end('needs_template', 'cannot')
  return end(null, 'yes')
}

/** The channel and the address now, or why neither the channel nor its fallback serves. */
function wayTo(group: DrawnGroup, guest: Guest): Expected {
  const first = wayBy(group, guest, group.channel)
  const pick = ({ channel, address, reason }: Way) => ({ channel, address, reason })
  if (first.reaches !== 'cannot' || group.fallback === null) return pick(first)
  const second = wayBy(group, guest, group.fallback)
  if (second.reaches === 'yes') return pick(second)
  // Of two reasons, the one that tells more: no address and no provider come last, in this order.
  const rank = ({ address, closed }: Way) => (address === null ? 2 : 0) + (closed ? 1 : 0)
  return pick(rank(second) < rank(first) ? second : first)
}

/** Why marketing that could reach the guest does not go: what they asked for, or the group's cap. */
function tooMuch(group: DrawnGroup, guest: Guest, claimed: boolean): string | null {
  if (!isMarketing(group)) return null
  if (group.brands.length > 0 && group.brands.every((brand) => guest.muted.includes(brand)))
    return 'brand_muted'
  if (isCapped(group, guest, claimed, group.cap_days)) return 'frequency_cap'
  return guest.monthly && isCapped(group, guest, claimed, 30) ? 'guest_frequency' : null
}

/** Whether another marketing message went within so many days. */
function isCapped(group: DrawnGroup, guest: Guest, claimed: boolean, cap: number): boolean {
  const follows = group.type === 'campaign' && group.after_days >= cap
  return group.earlier.some(
    ({ customer_id, days, status, own }) =>
      customer_id === guest.id &&
      days < cap &&
      (status === 'sent' || status === 'unknown' || (status === 'queued' && !claimed)) &&
      !(follows && own),
  )
}

const isHeldBack = (group: DrawnGroup, guest: Guest) => {
  const hash = createHash('md5').update(`${group.automation}${guest.id}`).digest()
  return hash.readUInt32BE(0) / 2 ** 32 < group.control_share / 100
}

/** What a plan of the whole group says, by guest. */
export function expectPlan(group: DrawnGroup): Map<string, Expected> {
  const taken = new Set<string>()
  const own =
    group.channel === 'email' && group.fallback === null && ['vip_reward', 'campaign'].includes(group.type)
  return new Map(
    group.guests.map((guest) => {
      const way = wayTo(group, guest)
      let reason = way.reason ?? tooMuch(group, guest, false)
      if (reason === null && isMarketing(group)) {
        const key = `${way.channel} ${way.address}`
        if (taken.has(key) && !own) reason = 'duplicate'
        else if (isHeldBack(group, guest)) reason = 'control_group'
        taken.add(key)
      }
      return [guest.id, { ...way, reason }]
    }),
  )
}

/** From when a message may go: the first minute from now that is not in the quiet hours of the guest's place. */
export function goesAt(group: DrawnGroup, guest: Guest, now = group.now): Date {
  if (!isMarketing(group)) return now
  // The missed tables are all in the first place.
  const place =
    group.type === 'no_show' ? group.places[0] : group.places.find(({ id }) => id === guest.location_id)
  const [from, until] = place?.quiet ?? group.quiet
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: place?.timezone ?? group.timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const isQuiet = (at: Date) => {
    const time = clock.format(at)
    return from < until ? time >= from && time < until : from > until && (time >= from || time < until)
  }
  let at = now
  while (isQuiet(at)) at = new Date(at.getTime() + 60_000)
  return at
}

/** A message of the group's automation. */
export interface Message {
  customer_id: string
  channel: Channel
  recipient: string | null
  status: string
  reason: string | null
  not_before: Date
}

/**
 * What becomes of planned messages when every channel that has a provider is claimed, until nothing moves any more.
 * @param group as it is now; `planned` as it was before, by guest
 */
export function expectClaims(group: DrawnGroup, planned: ReadonlyMap<string, Message>): Map<string, Message> {
  const rows = new Map([...planned].map(([id, row]) => [id, { ...row }]))
  const guests = group.guests.filter(({ id }) => rows.has(id))
  const row = (guest: Guest) => rows.get(guest.id) as Message
  for (let moved = true; moved; ) {
    moved = false
    for (const channel of CHANNELS) {
      if (group.closed[channel] === 'no_provider') continue
      const due = guests.filter((one) => {
        const { status, channel: now, not_before } = row(one)
        return status === 'queued' && now === channel && not_before <= group.now
      })
      const movesTo = new Set<string>()
      const verdicts = due.map((guest) => {
        const way = wayTo(group, guest)
        let reason = way.reason ?? tooMuch(group, guest, true)
        if (reason === null && way.channel !== channel) {
          reason = whyNotMoved(group, guest, way, guests, row)
          const place = `${way.channel} ${way.address}`
          if (reason === null && isMarketing(group) && way.channel !== 'email') {
            if (movesTo.has(place)) reason = 'duplicate'
            movesTo.add(place)
          }
        }
        return { guest, way, reason }
      })
      for (const { guest, way, reason } of verdicts) {
        const at = goesAt(group, guest)
        const moves = reason === null && way.channel !== channel
        moved ||= moves
        Object.assign(row(guest), {
          reason,
          status: reason !== null ? 'skipped' : moves || at > group.now ? 'queued' : 'sending',
          ...(reason === null && { channel: way.channel, recipient: way.address, not_before: at }),
        })
      }
    }
  }
  return rows
}

/** A no that went with its address, or another guest who has the message at this number. */
function whyNotMoved(
  group: DrawnGroup,
  guest: Guest,
  way: Expected,
  guests: Guest[],
  row: (guest: Guest) => Message,
): string | null {
  if (!isMarketing(group)) return null
  const { channel, recipient } = row(guest)
  const said = saidBy(group, channel, [recipient])
  if (said.some((what) => what !== 'bounce')) return 'suppressed'
  if (way.channel === 'email') return null
  const has = guests.some((other) => {
    const { channel: by, status, reason } = row(other)
    return (
      other.id !== guest.id &&
      by !== 'email' &&
      (status !== 'skipped' || reason === 'control_group') &&
      addressesOf(other, by)[0] === way.address
    )
  })
  return has ? 'duplicate' : null
}
