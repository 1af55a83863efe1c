import { type Box, boxOf, sizeOf } from '@/components/tables/plan-geometry'
import type { TableShape } from '@/lib/locations/plan'
import type { Row } from '../setup-rows'
import { seatsOf, type TableDraft } from '../table-draft'
import type { Size } from './placing'

/** A table of the form as the plan shows it. */
export interface PlanTable {
  /** The key of its row in the form. */
  id: number
  name: string
  seats: number | null
  size: Size
  /** Null: not placed. */
  box: Box | null
  shape: TableShape
  turned: boolean
  joinable: boolean
  active: boolean
}

/** The zones of the tables, in their order; the one without a name (`''`) last. */
export const zonesOf = (rows: readonly Row<TableDraft>[]): string[] =>
  [...new Set(rows.map(({ value }) => value.zone.trim()))].toSorted(
    (a, b) => Number(a === '') - Number(b === ''),
  )

/** The tables of a zone. */
export function tablesOf(rows: readonly Row<TableDraft>[], zone: string, locale: string): PlanTable[] {
  return rows
    .filter(({ value }) => value.zone.trim() === zone)
    .map(({ key, value }) => {
      const look = { ...value, capacity: seatsOf(value, locale) }
      return {
        ...{ id: key, name: value.name.trim(), seats: look.capacity, size: sizeOf(look), box: boxOf(look) },
        ...{ shape: value.shape, turned: value.turned, joinable: value.joinable, active: value.is_active },
      }
    })
}

/** The places of all tables but one. */
export const othersOf = (tables: readonly PlanTable[], id: number): Box[] =>
  tables.flatMap((table) => (table.id !== id && table.box ? [table.box] : []))
