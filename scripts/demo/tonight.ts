import { type FactCode, kindOf } from '@/lib/customers/fact-codes'
import { addDays, instantAt, localTime } from '@/lib/dates'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { DEMO_VENUES } from '../../tests/fakes/pms/demo-venues'
import { findCorrespondents } from './correspondents'
import { SLUG } from './seed'
import { type SeededLocation, type Service, serviceClient } from './service-client'
import type { DemoSettings } from './settings'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface Party {
  /** Minutes from now until its time; negative: ago. */
  in: number
  size: number
  status: 'pending' | 'confirmed' | 'seated' | 'completed' | 'cancelled'
  table?: string
  zone?: string
  notes?: string
  facts?: FactCode[]
  /** Minutes since they arrived, sat and left. */
  arrived?: number
  seated?: number
  finished?: number
  walkIn?: boolean
}

// A service under way: some have left, some sit, one waits at the door, one is late, the others are about to come.
const PARTIES: Party[] = [
  {
    in: -100,
    size: 2,
    status: 'completed',
    table: 'S2',
    zone: 'Sala',
    arrived: 100,
    seated: 98,
    finished: 12,
  },
  {
    in: -70,
    size: 4,
    status: 'seated',
    table: 'S5',
    zone: 'Sala',
    arrived: 72,
    seated: 66,
    facts: ['gluten'],
  },
  { in: -45, size: 2, status: 'seated', table: 'B3', zone: 'Barra', arrived: 45, seated: 45, walkIn: true },
  { in: -30, size: 6, status: 'seated', table: 'S14', zone: 'Sala', arrived: 34, seated: 25 },
  { in: -25, size: 3, status: 'confirmed', table: 'T4', zone: 'Terraza', notes: 'Llegarán 15 minutos tarde' },
  { in: -5, size: 2, status: 'confirmed', table: 'S7', zone: 'Sala', arrived: 4, facts: ['nuts', 'window'] },
  { in: 10, size: 4, status: 'confirmed', table: 'S9', zone: 'Sala', facts: ['crustaceans'] },
  { in: 20, size: 2, status: 'confirmed', notes: 'Alergia a frutos secos' },
  { in: 35, size: 5, status: 'confirmed', table: 'T8', zone: 'Terraza', notes: 'Trona para bebé' },
  { in: 55, size: 2, status: 'pending', notes: 'Aniversario de boda' },
  { in: 75, size: 8, status: 'confirmed', table: 'S15+S16', zone: 'Sala', facts: ['vegetarian'] },
  // Its table fits someone on the waitlist.
  { in: 40, size: 4, status: 'cancelled', table: 'S11', zone: 'Sala' },
]

/** The parties of a location: all of them in the first, and each other without two or three, so that no two are alike. */
const partiesAt = (place: number) =>
  PARTIES.flatMap((party, index) => (place > 0 && (index + place) % 5 === 0 ? [] : [{ party, index }]))

/**
 * Puts a service under way around the present moment into every demo location, whatever the hour and the day: the demo
 * shows a running service whenever it is started. A later start moves the same reservations.
 */
export async function seedTonight(settings: DemoSettings, now = new Date()): Promise<void> {
  const db = serviceClient(settings)
  const organization = await db.from('organizations').select('id').eq('slug', SLUG).single().throwOnError()
  const organization_id = organization.data.id
  const [found, regulars] = await Promise.all([
    db
      .from('locations')
      .select('id, name, average_spend_per_guest, timezone')
      .eq('organization_id', organization_id)
      .order('name')
      .throwOnError(),
    findCorrespondents(db, organization_id, { min: 2, max: 30 }, 200),
  ])
  // Only the seeded locations, not those that a visitor of the demo added.
  const locations = found.data.filter(({ name }) => DEMO_VENUES.some((venue) => venue.name === name))
  const rows = locations.flatMap((location, place) =>
    partiesAt(place).map(({ party, index }) => {
      const guest = party.walkIn ? undefined : regulars[(place * PARTIES.length + index) % regulars.length]
      return { party, guest, row: rowOf(organization_id, location, party, index, guest, now) }
    }),
  )
  await db
    .from('reservations')
    .upsert(
      rows.map(({ row }) => row),
      { onConflict: 'organization_id,external_id' },
    )
    .throwOnError()
  const facts = rows.flatMap(({ party, guest }) =>
    (guest ? (party.facts ?? []) : []).map((code) => ({
      ...{ organization_id, customer_id: guest?.id ?? '', code, kind: kindOf(code) },
      recorded_by: 'Olga Prieto',
    })),
  )
  await db.from('customer_facts').upsert(facts).throwOnError()
  await seedWaitlist(db, organization_id, locations, now)
  await seedShiftNotes(db, organization_id, locations, now)
}

const NOTES = [
  {
    body: 'Se acabó el rodaballo. La mesa 12 cojea: mantenimiento está avisado.',
    author_name: 'Olga Prieto',
  },
  { body: 'Un cliente se dejó un abrigo gris: está en la oficina.', author_name: 'Luis Ferrer' },
]

/** The shift notes of last evening: two in the first location, one in the second. */
async function seedShiftNotes(
  db: Service,
  organization_id: string,
  locations: SeededLocation[],
  now: Date,
): Promise<void> {
  const bodies = NOTES.map(({ body }) => body)
  await db
    .from('shift_notes')
    .delete()
    .eq('organization_id', organization_id)
    .in('body', bodies)
    .throwOnError()
  const rows = locations.slice(0, 2).flatMap(({ id, timezone }, place) => {
    const today = currentServiceDay(timezone, now)
    return NOTES.slice(place).map((note) => ({
      ...{ organization_id, location_id: id, day: addDays(today, -1), ...note },
      created_at: instantAt(`${today}T00:40`, timezone).toISOString(),
    }))
  })
  await db.from('shift_notes').insert(rows).throwOnError()
}

// Invented telephone numbers: the range 600 000 … is not assigned.
const WAITING = [
  { name: 'Carmen Vidal', phone: '+34600000101', party_size: 2, quoted_minutes: 20, waits: 12 },
  { name: 'Javier Ortega', phone: null, party_size: 4, quoted_minutes: 35, waits: 6 },
  { name: 'Rocío Benjumea', phone: '+34600000102', party_size: 3, quoted_minutes: 25, waits: 17 },
  { name: 'Vicent Soler', phone: '+34600000103', party_size: 2, quoted_minutes: 15, waits: 4 },
  { name: 'Yaiza Santana', phone: null, party_size: 2, quoted_minutes: 20, waits: 9 },
  { name: 'Oriol Puig', phone: '+34600000104', party_size: 4, quoted_minutes: 30, waits: 21 },
]

/** Puts the same parties on the waitlists again, as of now: two at the first location, one at each other. */
async function seedWaitlist(
  db: Service,
  organization_id: string,
  locations: SeededLocation[],
  now: Date,
): Promise<void> {
  const names = WAITING.map(({ name }) => name)
  await db.from('waitlist').delete().eq('organization_id', organization_id).in('name', names).throwOnError()
  const rows = WAITING.flatMap(({ waits, ...party }, index) => {
    const place = locations[Math.max(0, index - 1)]
    const joined_at = new Date(now.getTime() - waits * MINUTE_MS).toISOString()
    return place ? [{ organization_id, location_id: place.id, ...party, joined_at }] : []
  })
  await db.from('waitlist').insert(rows).throwOnError()
}

function rowOf(
  organization_id: string,
  location: SeededLocation,
  party: Party,
  index: number,
  guest: Awaited<ReturnType<typeof findCorrespondents>>[number] | undefined,
  now: Date,
) {
  const quarter = 5 * MINUTE_MS
  const at = new Date(Math.round((now.getTime() + party.in * MINUTE_MS) / quarter) * quarter)
  const [reservation_date = '', reservation_time = ''] = localTime(at, location.timezone).split('T')
  const ago = (minutes?: number) =>
    minutes === undefined ? null : new Date(now.getTime() - minutes * MINUTE_MS).toISOString()
  return {
    ...{
      organization_id,
      location_id: location.id,
      source: 'manual',
      external_id: `tonight-${location.id}-${index}`,
    },
    ...{
      customer_id: guest?.id ?? null,
      customer_email: guest?.email ?? null,
      customer_phone: guest?.phone ?? null,
    },
    customer_name: guest ? [guest.first_name, guest.last_name].filter(Boolean).join(' ') : null,
    ...{ reservation_date, reservation_time, party_size: party.size, status: party.status },
    ...{ table_name: party.table ?? null, zone_name: party.zone ?? null, notes: party.notes ?? null },
    ...{ arrived_at: ago(party.arrived), seated_at: ago(party.seated), finished_at: ago(party.finished) },
    walk_in: party.walkIn ?? false,
    created_at: new Date(now.getTime() - (party.walkIn ? 45 * MINUTE_MS : 2 * DAY_MS)).toISOString(),
  }
}
