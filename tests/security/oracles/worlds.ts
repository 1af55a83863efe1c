import { createHash } from 'node:crypto'
import { join } from '../../factories/account'
import { claimsOf, inviteWithToken, type Person, stackClient } from '../../factories/group'
import { DECLARED } from '../../factories/messaging'
import type { Stack } from '../../support/stack'
import { type Place, plant } from '../roles/places'

/** The letter in the ids and addresses of a world; two worlds are alike but for it. */
export type Letter = 'a' | 'b'
export type Asker = 'admin' | 'sala' | 'boss'

/** A group with two locations. `admin` and `sala` work in the first one only, `boss` everywhere. */
export interface World {
  letter: Letter
  organization: string
  /** Where the bound people work, and the other location. */
  own: Place
  other: Place
  /** Their own guest, the guest's twin, and a guest of the other location. */
  guests: { guest: string; twin: string; foreign: string }
  people: Record<Asker, Person>
  /** Their tokens' claims, to act as them in SQL. */
  claims: Record<Asker, string>
}

/** An id of a world: of the same name in both worlds the ids differ in the letter alone, so that they sort alike. */
export function idOf(letter: Letter, name: string): string {
  return `0000000${letter}-0000-4000-8000-${createHash('md5').update(name).digest('hex').slice(0, 12)}`
}

/** Makes a world whose rows at both locations are those of every other world. */
export async function createWorld(stack: Stack, letter: Letter): Promise<World> {
  const id = (name: string) => idOf(letter, name)
  const organization = id('organization')
  await stack.sql(
    `insert into public.organizations (id, name, slug, control_share, quiet_from, quiet_until, frequency_cap_days,
       postal_address)
     values ($1, 'Grupo', $2, 0, '00:00', '00:00', 7, 'Calle Mayor 1')`,
    [organization, `grupo-${letter}`],
  )
  await stack.sql(
    `insert into public.brands (id, organization_id, name, slug) values ($1, $2, 'Marca', 'marca')`,
    [id('brand'), organization],
  )
  for (const name of ['Retiro', 'Sol'])
    await stack.sql(
      `insert into public.locations (id, organization_id, brand_id, name, timezone, average_spend_per_guest)
       values ($1, $2, $3, $4, 'Europe/Madrid', 30)`,
      [id(name), organization, id('brand'), name],
    )
  for (const rank of [1, 2, 3, 4])
    await stack.sql('update public.loyalty_tiers set id = $1 where organization_id = $2 and rank = $3', [
      id(`tier ${rank}`),
      organization,
      rank,
    ])
  const at = (name: string) =>
    plant(stack, [organization, id(name)], `@@${name}`, '@@GRUPO', (table) => id(`${name} ${table}`))
  const [own, other] = [await at('Retiro'), await at('Sol')]
  const guests = { guest: own.rows.customers ?? '', twin: id('twin'), foreign: other.rows.customers ?? '' }
  await stack.sql(
    `insert into public.customers (id, organization_id, location_id, first_name, last_name, email)
     values ($1, $2, $3, 'Eva', 'Gemela', 'eva@correo.example')`,
    [guests.twin, organization, own.location],
  )
  await stack.sql(
    `update public.customers set first_name = 'Ana', last_name = 'Ruiz', email = 'ana@correo.example', phone = '+34600111222' where id = $1`,
    [guests.guest],
  )
  await fillOwn(stack, { letter, organization, own, guests })
  const people = {
    admin: await hire(stack, letter, organization, 'admin', [own.location]),
    sala: await hire(stack, letter, organization, 'sala', [own.location]),
    boss: await hire(stack, letter, organization, 'super_admin', []),
  }
  const claims = {
    admin: await claimsOf(people.admin),
    sala: await claimsOf(people.sala),
    boss: await claimsOf(people.boss),
  }
  return { letter, organization, own, other, guests, people, claims }
}

type Home = Pick<World, 'letter' | 'organization' | 'own' | 'guests'>

/** Each guest of the own location comes there, and has one booking ahead. */
async function fillOwn(stack: Stack, { letter, organization, own, guests }: Home): Promise<void> {
  for (const customer of [guests.guest, guests.twin])
    for (const [days, status] of [
      [-30, 'completed'],
      [-12, 'no_show'],
      [2, 'confirmed'],
    ] as const)
      await book(stack, organization, {
        id: idOf(letter, `own ${customer.slice(9)} ${days}`),
        location_id: own.location,
        customer_id: customer,
        days,
        status,
      })
}

/** Rows at the other location alone, about guests of both: what a bound person must not notice. */
export async function addElsewhere(stack: Stack, world: World): Promise<void> {
  const { letter, organization, other, guests } = world
  const row = (table: string, fields: Record<string, unknown>) =>
    insert(stack, table, { organization_id: organization, location_id: other.location, ...fields })
  for (const [who, customer_id] of Object.entries(guests)) {
    if (who === 'twin') continue
    const id = (name: string) => idOf(letter, `elsewhere ${who} ${name}`)
    for (const [days, status] of [
      [-60, 'completed'],
      [-20, 'completed'],
      [-9, 'no_show'],
      [-3, 'no_show'],
      [-2, 'completed'],
      [1, 'confirmed'],
      [3, 'cancelled'],
    ] as const)
      await book(stack, organization, {
        id: id(`booking ${days}`),
        location_id: other.location,
        customer_id,
        days,
        status,
      })
    const about = { customer_id, reservation_id: id('booking -2') }
    await row('messages', {
      ...{ id: id('message'), kind: 'marketing', customer_id, channel: 'email', status: 'sent' },
      ...{ purpose: 'birthday', dedupe_key: `elsewhere ${who}`, content: {}, sent_at: instant(-1) },
    })
    await insert(stack, 'message_engagement', {
      ...{ message_id: id('message'), kind: 'click', link: 'https://casa.example', actor: 'person' },
      ...{ first_at: instant(-1), times: 1 },
    })
    await row('tickets', { id: id('ticket'), subject: 'Queja en otra casa', customer_id })
    await row('calendar_events', {
      ...{ id: id('event'), title: 'Cumple en otra casa', event_datetime: instant(2), customer_id },
    })
    await row('feedback', {
      ...{ id: id('feedback'), ...about, score: 1, words: 'Mal', language: 'es', answered_at: instant(-1) },
    })
    await row('waitlist', { id: id('waiting'), name: 'Ana Ruiz', party_size: 2, phone: '+34600111222' })
    await insert(stack, 'loyalty_points', {
      ...{ organization_id: organization, id: id('points'), ...about },
      ...{ kind: 'earned', points: 70, multiplier: 1, amount: 70 },
    })
  }
  await row('shift_notes', { id: idOf(letter, 'note'), day: day(0), body: 'Otra casa', author_name: 'Sol' })
}

/**
 * What is the whole group's about a guest, and every role with customers reads: alike in both worlds. So is the order in
 * which the rows lie, by id: what has no order of its own comes by that.
 */
export async function levelGuests(stack: Stack): Promise<void> {
  await stack.sql('cluster public.customers using customers_pkey')
  await stack.sql(
    `update public.customers set total_visits = 4, total_spend = 240, spend_is_estimate = false, points = 90,
       last_visit_at = $1, loyalty_tier_id = null, consents = $2, updated_at = now()`,
    [instant(-30), JSON.stringify(DECLARED)],
  )
  await stack.sql('cluster public.customers using customers_pkey')
  await stack.sql('delete from public.customer_rhythms')
}

const day = (days: number) => instant(days).slice(0, 10)
/** One moment for both worlds, and not that of their making. */
const START = Date.now() - 150 * 60_000
const instant = (days: number) => new Date(START + days * 86_400_000).toISOString()

function book(
  stack: Stack,
  organization_id: string,
  { days, ...row }: { days: number } & Record<string, unknown>,
): Promise<void> {
  return insert(stack, 'reservations', {
    organization_id,
    ...{ reservation_date: day(days), reservation_time: '21:00', party_size: 2, source: 'pms' },
    ...{ service_over: days < 0, total_amount: days < 0 ? 80 : null, created_at: instant(-90), ...row },
  })
}

async function insert(stack: Stack, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row).join(', ')
  await stack.sql(
    `insert into public.${table} (${columns})
     select ${columns} from jsonb_populate_record(null::public.${table}, $1::jsonb)`,
    [JSON.stringify(row)],
  )
}

async function hire(
  stack: Stack,
  letter: Letter,
  organization_id: string,
  role: 'admin' | 'sala' | 'super_admin',
  location_ids: string[],
): Promise<Person> {
  const email = `${letter}.${role}@equipo.example`
  const service = stackClient(stack, 'service')
  const invited = await inviteWithToken(service, { organization_id, email, role, location_ids })
  const db = stackClient(stack, 'anon')
  const { user } = await join(stack, db, email, invited.data)
  return { id: user.id, email, db }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const INSTANT = /20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)?/g
/** How far from now are the instants that the server sets: hours to the ends of tickets, sessions and approvals. */
const SERVER_HOURS = [0, 2, 8, 24, 72, 168, 720, 2160]
const LATELY_MS = 20 * 60_000
const isOfServer = (at: string) => {
  const distance = Math.abs(Date.parse(at.replace(' ', 'T')) - Date.now())
  return SERVER_HOURS.some((hours) => Math.abs(distance - hours * 3_600_000) < LATELY_MS)
}

/** An answer without what tells one world from the other, or one moment from the next. */
export function worldless(text: string): string {
  return text
    .replaceAll(/\b0000000[ab]\b/g, '0000000w')
    .replaceAll(/\b[ab]\.(?=\w+@equipo)/g, 'w.')
    .replaceAll(/grupo-[ab]/g, 'grupo-w')
    .replaceAll(/"(token|url|prefix)":"[^"]*"/g, '"$1":"<secret>"')
    .replaceAll(UUID, (id) => (id.startsWith('0000000w') ? id : '<new id>'))
    .replaceAll(INSTANT, (at) => (isOfServer(at) ? '<now>' : at))
}

/** Where two answers part, with what is around; null for one and the same. */
export function differenceOf(one: string, other: string): [string, string] | null {
  const [a, b] = [worldless(one), worldless(other)]
  if (a === b) return null
  let at = 0
  while (a[at] === b[at]) at++
  return [a.slice(Math.max(0, at - 60), at + 60), b.slice(Math.max(0, at - 60), at + 60)]
}
