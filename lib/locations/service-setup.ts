import 'server-only'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { notFoundError, refuse } from '@/lib/http/errors'
import {
  type Hours,
  type HoursChange,
  hoursSchema,
  type TableChange,
  type TableRecord,
  tablesSchema,
} from './service-setup-schema'

const REFUSALS = {
  overlap: { path: 'shifts', code: 'overlap', message: 'Shifts of one day must not overlap' },
  repeated: 'ALREADY_EXISTS',
} as const

/**
 * The shifts and closed days of a location the caller works in.
 * @throws HttpError 404.
 */
export async function readHours({ db }: Pick<Session, 'db'>, locationId: string): Promise<Hours> {
  const found = unwrap(
    await db
      .from('locations')
      .select('shifts(id, name, weekdays, opens, closes, capacity, opens_at), closed_days(day, name)')
      .eq('id', locationId)
      .is('closed_days.shift', null)
      .is('closed_days.zone', null)
      .order('opens_at', { referencedTable: 'shifts' })
      .order('day', { referencedTable: 'closed_days' })
      .maybeSingle(),
  )
  if (!found) throw notFoundError()
  return hoursSchema.parse(found)
}

/**
 * Replaces the shifts and closed days of a location; with `loaded_days` a day closed or opened since they were read
 * stays so.
 * @throws HttpError 404, 400 for shifts that overlap, 409 for a name or a day twice.
 */
export async function saveHours(
  session: Pick<Session, 'db'>,
  locationId: string,
  hours: HoursChange,
): Promise<Hours> {
  const outcome = unwrap(
    await session.db.rpc('save_hours', {
      p_location: locationId,
      p_shifts: hours.shifts as unknown as Json,
      p_closed_days: hours.closed_days as unknown as Json,
      p_loaded: hours.loaded_days,
    }),
  )
  refuse(outcome, REFUSALS)
  return readHours(session, locationId)
}

const inOrder = new Intl.Collator('es', { numeric: true }).compare

/**
 * The tables of a location the caller works in, by zone and name in natural order: 2 before 10, without a zone last.
 * @throws HttpError 404.
 */
export async function readTables({ db }: Pick<Session, 'db'>, locationId: string): Promise<TableRecord[]> {
  const found = unwrap(
    await db
      .from('locations')
      .select('dining_tables(zone, name, capacity, is_active, plan_x, plan_y, shape, turned, joinable)')
      .eq('id', locationId)
      .maybeSingle(),
  )
  if (!found) throw notFoundError()
  return tablesSchema.parse(found.dining_tables).sort(byZone)
}

function byZone(a: TableRecord, b: TableRecord): number {
  if ((a.zone === null) !== (b.zone === null)) return a.zone === null ? 1 : -1
  return inOrder(a.zone ?? '', b.zone ?? '') || inOrder(a.name, b.name)
}

/**
 * Replaces the tables of a location. What is not given of a table stays as it was by that name.
 * @throws HttpError 404, 409 for a name twice.
 */
export async function saveTables(
  session: Pick<Session, 'db'>,
  locationId: string,
  tables: TableChange[],
): Promise<TableRecord[]> {
  const parameters = { p_location: locationId, p_tables: tables as unknown as Json }
  refuse(unwrap(await session.db.rpc('save_tables', parameters)), REFUSALS)
  return readTables(session, locationId)
}
