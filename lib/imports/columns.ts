import { FIELD_NAMES, GUEST_FIELDS, type GuestFieldName } from '@/lib/customers/guest-fields'
import { fold } from '@/lib/text/fold'

/** A field that a column of the file can contain: one of the customer's, or the country code of the phone. */
export type Field = Exclude<GuestFieldName, 'location_id'> | 'country_code'

const COUNTRY_CODE = 'codigopais codigodepais codigodelpais countrycode phonecountrycode prefijo prefijopais'
/** The headers of each field, in the form that `plain` returns. */
const HEADERS: readonly [Field, string][] = FIELD_NAMES.flatMap((name): [Field, string][] => {
  if (name === 'location_id') return []
  const { headers } = GUEST_FIELDS[name].csv
  return name === 'phone'
    ? [
        [name, headers],
        ['country_code', COUNTRY_CODE],
      ]
    : [[name, headers]]
})
/** The fields of a file in the order in which a person chooses from them. */
export const FIELDS = HEADERS.map(([field]) => field)

const FIELD_OF = new Map(
  HEADERS.flatMap(([field, names]) => names.split(' ').map((name) => [name, field] as const)),
)

/** The maximum number of columns of a file. */
export const MAX_COLUMNS = 200

/** The field that a person chose for each column, by the column's name; null: do not import it. */
export type Mapping = ReadonlyMap<string, Field | null>

/** The columns of each field; a field may have several. */
export type Columns = ReadonlyMap<Field, readonly number[]>

/**
 * Finds the known fields in a header row, in any order, ignoring case, accents, blanks and underscores;
 * `mapping` takes precedence. Null when no column is an e-mail or a phone.
 */
export function findColumns(header: readonly string[], mapping?: Mapping): Columns | null {
  const columns = new Map<Field, number[]>()
  for (const [index, name] of header.entries()) {
    const chosen = mapping?.get(name.trim())
    const field = chosen === undefined ? fieldOf(name) : chosen
    if (field) columns.set(field, [...(columns.get(field) ?? []), index])
  }
  return columns.has('email') || columns.has('phone') ? columns : null
}

const MAX_NAME = 200

/** The field that a column's name stands for; null when the name is unknown. */
export function fieldOf(name: string): Field | null {
  return name.length > MAX_NAME ? null : (FIELD_OF.get(plain(name)) ?? null)
}

function plain(name: string): string {
  return fold(name)
    .replace(/\(s\)/g, 's')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
