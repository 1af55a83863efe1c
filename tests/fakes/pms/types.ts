import type { Person } from './people'

/** Statuses of a local reservation. */
export type LocalStatus = 'pending' | 'confirmed' | 'seated' | 'completed' | 'cancelled' | 'no_show'

/** Which of the two inbound shapes a venue's PMS speaks: `external` sends numeric codes, `mapped` words. */
export type Shape = 'external' | 'mapped'

export interface Venue {
  slug: string
  name: string
  /** IANA name, for example `Europe/Madrid`. */
  timezone: string
  shape: Shape
  /** Guests on an average open day; default 35. */
  coversPerDay?: number
  /** Weekdays without service: 0 is Sunday, 6 is Saturday. */
  closedWeekdays?: number[]
}

type Text = string | null

/** A reservation with the PMS's own field names and status codes. */
export interface ExternalRow {
  id: string
  reservation_id?: string
  restaurante_id: string
  date: string
  time: string
  client_name?: Text
  client_surname?: Text
  client_email?: Text
  client_phone?: Text
  pax?: number
  for?: number
  state: string | number
  notes?: Text
  zone_name?: Text
  name_zone?: Text
  table_name?: Text
  table_names?: Text
  date_add?: string
  time_add?: string
  meal_shift?: string
  provenance?: string
}

type MappedStatus = 'pending' | 'confirmed' | 'seated' | 'finished' | 'cancelled' | 'no_show'

/** A reservation with the field names of the contract's field mapping. */
export interface MappedRow {
  booking_id: string
  customer_name?: Text
  customer_email?: Text
  customer_phone?: Text
  booking_date: string
  booking_time: string
  party_size: number
  status: MappedStatus
  notes?: Text
  zone_name?: Text
  table_name?: Text
}

export type PmsRow = ExternalRow | MappedRow

/**
 * What really happened, before the simulator dirties it: who came, and the values that a correct reader gets from the
 * row.
 */
export interface TruthRow {
  row: PmsRow
  /** Null for an unknown walk-in. */
  personId: string | null
  person: Person | null
  externalId: string
  /** YYYY-MM-DD in the venue's timezone. */
  date: string
  /** HH:mm in the venue's timezone. */
  time: string
  partySize: number
  /** What a correct reader makes of the row's status or code; codes have none for `completed`. */
  status: LocalStatus
  /**
   * Whether the guest came; null while the service (until 06:00 local) is not over and the host has not finished it.
   */
  visited: boolean | null
  /** The contact exactly as the row carries it; null when the row has none ('', null or absent). */
  rawEmail: string | null
  rawPhone: string | null
}
