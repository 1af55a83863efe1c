import type { OnPlan } from '@/lib/locations/plan'
import { NOT_PLACED } from '@/lib/locations/plan'
import type { TableRecord } from '@/lib/locations/service-setup-schema'
import { wholeNumber } from './setup-rows'

/** A table as typed in the form, with its place on the plan of its zone. */
export interface TableDraft extends OnPlan {
  zone: string
  name: string
  capacity: string
  is_active: boolean
}

/** A new table in a zone. */
export const newTable = (zone: string, name = '', capacity = ''): TableDraft => ({
  ...{ zone, name, capacity, is_active: true },
  ...NOT_PLACED,
})

export const draftOf = ({ zone, capacity, ...table }: TableRecord): TableDraft => ({
  ...table,
  zone: zone ?? '',
  capacity: String(capacity ?? ''),
})

/** A draft that an older version of the app has kept has no plan: its tables stay where those of their names stand now. */
export const withPlan = (draft: TableDraft, tables: readonly TableRecord[]): TableDraft => {
  const { plan_x, plan_y, shape, turned, joinable } =
    tables.find(({ name }) => name === draft.name.trim()) ?? NOT_PLACED
  const place: OnPlan = { plan_x, plan_y, shape, turned, joinable }
  return { ...place, ...draft }
}

/** What the API takes: a capacity that is no number goes as typed, and is reported at its field. */
export const bodyOf = (draft: TableDraft, locale: string) => ({
  ...draft,
  capacity: wholeNumber(draft.capacity, locale),
})

/** The seats that are typed; null for none or what is no number of seats. */
export function seatsOf({ capacity }: Pick<TableDraft, 'capacity'>, locale: string): number | null {
  const seats = wholeNumber(capacity, locale)
  return typeof seats === 'number' && seats >= 1 && seats <= 999 ? seats : null
}
