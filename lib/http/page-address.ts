import { createLoader, createParser, createSerializer, type SearchParams } from 'nuqs/server'
import { z } from 'zod'
import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import { isStorable } from './json'

/** The query of a page in Next's form. */
export type Query = SearchParams

type Values<S extends z.ZodObject> = { [K in keyof z.output<S>]?: z.output<S>[K] | null }
type Field = z.ZodType

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** The parser of one parameter, from the field's schema; invalid and empty values count as absent. */
function parserOf(field: Field) {
  const parser = createParser<unknown>({
    parse(text) {
      const { data } = field.safeParse(text)
      return isEmpty(data) || !isStorable(String(data)) ? null : data
    },
    serialize: String,
  })
  const { data: usual } = field.safeParse(undefined)
  return usual === undefined ? parser : parser.withDefault(usual as NonNullable<unknown>)
}

/**
 * The address of a page (or a download) with the keys of a zod object as parameters. `read` parses Next's query;
 * invalid values count as absent. `href` leaves out absent, empty and default values. In addresses the field
 * `location_id` has the name of the tab's parameter.
 */
export function pageAddress<S extends z.ZodObject>(path: string, schema: S) {
  const fields = Object.entries<Field>(schema.shape as Record<string, Field>)
  const parsers = Object.fromEntries(fields.map(([name, field]) => [name, parserOf(field)]))
  const urlKeys = path.startsWith('/api/') ? {} : { location_id: LOCATION_PARAMETER }
  const load = createLoader(parsers, { urlKeys })
  const write = createSerializer(parsers, { urlKeys })
  return {
    read(query: Query): z.output<S> {
      const present = Object.entries(load(query)).filter(([, value]) => value !== null)
      return Object.fromEntries(present) as z.output<S>
    },
    href(values: Values<S>): string {
      const present = Object.entries(values).map(([name, value]) => [name, isEmpty(value) ? null : value])
      return write(path, Object.fromEntries(present))
    },
  }
}

/** Whether any of the schema's filters is set. */
export const isFiltered = <S extends z.ZodObject>(filters: S, values: Values<S>): boolean =>
  Object.keys(filters.shape).some((name) => !isEmpty(values[name as keyof typeof values] ?? undefined))

/** The path of cursors in a page's address (cursor-path.ts): opaque, with the length limit of a path. */
export const cursorField = z.string().max(12_000).optional()

/** The address of a page whose list has no filters. */
export const cursorPage = (path: string) => pageAddress(path, z.object({ cursor: cursorField }))
