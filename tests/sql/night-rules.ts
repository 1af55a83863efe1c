import { serviceDay, type Zone } from './night-clock'

export type Place = 'A' | 'B'
export type Status = 'pending' | 'confirmed' | 'seated' | 'completed' | 'cancelled' | 'no_show'
export const COMES: Status[] = ['pending', 'confirmed', 'seated']
/** The PMS's codes; null is one that nobody knows. */
export const CODES: Record<string, Status | null> = {
  ...{ '0': 'pending', '1': 'confirmed', '2': 'seated', '3': 'pending', '5': 'seated', '9': 'seated' },
  ...{ '-2': 'cancelled', '-3': 'no_show', '-5': 'cancelled', finished: 'completed', '77': null },
}

export interface Setup {
  zone: Zone
  /** Of both locations. */
  average: number | null
  unmarked: boolean
  stays: Record<string, number> | null
  shifts: { name: string; opens: string; closes: string }[]
  tables: { name: string; zone: string; capacity: number | null }[]
}

/** The fields that a tap changes; instants in milliseconds. */
export interface Tapped {
  status: Status
  table: string | null
  arrived: number | null
  seated: number | null
  finished: number | null
}

export interface Booking extends Tapped {
  name: string
  source: 'pms' | 'manual'
  place: Place
  date: string
  time: string
  size: number
  amount: number | null
  guest: number | null
  code: string | null
  marks: { status?: Status; table?: string | null }
  walkIn: boolean
  over: boolean
  /** The first of the parties it sits with, unless it is that one. */
  joined: string | null
  gone?: { since: number; held?: boolean; cancelled?: boolean }
}

export type Row = Pick<Booking, 'name' | 'date' | 'time' | 'size' | 'table'> & { code: string; guest: number }
export interface Tap {
  key: string
  action: string
  reservation?: string
  of?: string
  undoes?: string
  seen?: Status
  at?: string
  to?: string | null
  table_name?: string | null
  tables?: string[]
  party_size?: number
  customer_name?: string
  confirm?: string[]
}
export type Closing = { day: string; shift: string | null; zone: string | null }
export type Fields = Partial<
  Pick<Booking, 'date' | 'time' | 'size' | 'status' | 'table' | 'amount' | 'guest' | 'joined'>
>
export interface Answer {
  outcome: string
  code?: string
  questions?: string[]
  /** The first party at the table; of several at once any. */
  current?: { reservation_id: string; customer_name: string; from: string; until: string }[]
}

export const dayOf = ({ date, time }: Pick<Booking, 'date' | 'time'>) => serviceDay(date, time)
export const tapped = ({ status, table, arrived, seated, finished }: Booking): Tapped => ({
  ...{ status, table, arrived, seated, finished },
})
export const AWAY = { arrived: null, seated: null }
/** The table that a tap gives; undefined: it keeps its own. */
export const tableOf = ({ tables, table_name }: Pick<Tap, 'tables' | 'table_name'>) =>
  tables ? tables.join('+') || null : table_name
export const tableNames = (table: string | null) => table?.split('+') ?? []

/** What a party has after a tap of this kind. */
export function afterTap(old: Tapped, { action, to, ...place }: Tap, at: number): Tapped {
  const arrived = old.arrived ?? at
  if (action === 'arrive') {
    const isOpen = old.status === 'confirmed' || old.status === 'seated' || old.status === 'completed'
    return { ...old, arrived: at, status: isOpen ? old.status : 'confirmed' }
  }
  if (action === 'seat')
    return { status: 'seated', table: tableOf(place) ?? old.table, arrived, seated: at, finished: null }
  if (action === 'assign') return { ...old, table: tableOf(place) ?? null }
  if (action === 'no_show') return { ...old, ...AWAY, status: 'no_show' }
  if (action === 'cancel') return { ...old, ...AWAY, status: 'cancelled', finished: null }
  if (action === 'finish') return { ...old, status: 'completed', finished: at }
  if (to === 'seated') return { ...old, status: 'seated', finished: null }
  if (to === 'arrived') return { ...old, status: 'confirmed', arrived, seated: null, finished: null }
  return { ...old, ...AWAY, status: 'confirmed', finished: null }
}

/** A refused tap carries what is asked, in lower case as its outcome. */
export const refused = (answer: Answer): Answer => ({
  ...answer,
  outcome: (answer.code ?? answer.outcome).toLowerCase(),
})
export const customerName = ({ name, guest }: Booking) => (guest === null ? name : `Guest ${guest}`)
/** What the PMS says of a booking. */
export const facts = ({ name, place, date, time, size, status, code, marks, table }: Booking) => ({
  ...{ name, place, date, time, size, status, code, marks, table },
})
