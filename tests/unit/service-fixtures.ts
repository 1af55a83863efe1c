import { type BoardParty, type BoardService, withTaps } from '@/components/service/board-model'
import { NOT_PLACED } from '@/lib/locations/plan'
import { tableNames } from '@/lib/reservations/table-names'
import type { Party, Service } from '@/lib/service/schema'

const NOTHING: Party = {
  ...{ id: '', time: '21:00', shift_id: 'dinner', name: null, phone: null, readable_phone: null },
  ...{ party_size: 4, status: 'confirmed', table_name: null, tables: [], joined_to: null, zone_name: null },
  ...{ arrived_at: null, seated_at: null, finished_at: null, walk_in: false, late_minutes: null },
  ...{ from_pms: false, notes: null, customer_id: null, customer_notes: null, tags: [], tier: null },
  ...{ vip: false, birthday_in: null, first_visit: false, allergies: [], facts: [], suggested: [] },
  ...{ no_shows: 0, usual_table: null, risk: null },
}

/** An expected party of four at 21:00, with its id as its name. */
export const party = (id: string, changes: Partial<Party> = {}): BoardParty => ({
  ...NOTHING,
  ...{ id, name: id, tables: tableNames(changes.table_name) },
  ...changes,
})

type Table = Service['tables'][number]
/** Tables such as `Sala S4 4`; `?` is a capacity that nobody knows. */
export const room = (...texts: string[]): Table[] =>
  texts.map((text) => {
    const [, zone = '', name = '', seats] = /^(.*) (\S+) (\S+)$/.exec(text) ?? []
    return { ...NOT_PLACED, zone, name, capacity: seats === '?' ? null : Number(seats) }
  })

const LUNCH = { id: 'lunch', name: 'Comida', opens: '13:00', closes: '16:30', capacity: 40 }
const DINNER = { id: 'dinner', name: 'Cena', opens: '20:00', closes: '00:30', capacity: 40 }

/** A Friday in Madrid with lunch and dinner. */
export const serviceOf = (parties: Party[], changes: Partial<Service> = {}): BoardService =>
  withTaps(
    {
      location: { id: 'l', name: 'Norte', timezone: 'Europe/Madrid', stay_minutes: null },
      ...{ day: '2026-11-20', closed: null, closings: [], at: '2026-11-20T19:00:00.000Z' },
      ...{
        shifts: [LUNCH, DINNER],
        tables: room('Sala 1 2', 'Sala 4 4', 'Terraza 8 8'),
        waiting: [],
        parties,
      },
      ...changes,
    },
    [],
  )

/** An instant of the evening by the local time. */
export const at = (clock: string) => new Date(`2026-11-20T${clock}:00+01:00`).toISOString()
