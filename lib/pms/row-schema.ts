import { z } from 'zod'

// Postgres' jsonb takes neither NUL nor lone surrogates; one such row must not fail its batch.
const clean = (value: string) => value.toWellFormed().replaceAll('\0', '').trim()

/** Text in practice: a string, a number or nothing; blank means null. */
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null ? null : clean(String(value)) || null))

const tableNames = z
  .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null ? null : clean([value].flat().join(', ')) || null))

/** Every field either inbound shape has, and those seen in practice; unknown ones are dropped. */
export const rawRowSchema = z.object({
  booking_id: text,
  id: text,
  reservation_id: text,
  booking_date: text,
  date: text,
  booking_time: text,
  time: text,
  party_size: text,
  pax: text,
  for: text,
  status: text,
  state: text,
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  client_name: text,
  client_surname: text,
  client_email: text,
  client_phone: text,
  notes: text,
  zone_name: text,
  name_zone: text,
  table_name: text,
  table_names: tableNames,
})

export type RawRow = z.output<typeof rawRowSchema>
