import 'server-only'
import { z } from 'zod'
import { onReplica, type Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload, streamOf } from '@/lib/csv/download'
import { inCsv } from '@/lib/csv/sheet'
import enConsent from '@/lib/customers/csv-consent/en.json'
import esConsent from '@/lib/customers/csv-consent/es.json'
import en from '@/lib/customers/csv-header/en.json'
import es from '@/lib/customers/csv-header/es.json'
import { unwrap } from '@/lib/db/errors'
import type { Cursor } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import enFields from '@/lib/i18n/en/client/guest-fields.json'
import esFields from '@/lib/i18n/es/client/guest-fields.json'
import { listLocations } from '@/lib/locations/locations'
import { withGuestPatterns } from '@/lib/search'
import { customerExportSchema } from './export-schema'
import type { customersExportQuery } from './filters'
import { eachField, FIELD_NAMES, type GuestFieldName } from './guest-fields'

const CHUNK = 2000
const word = z.string().nullable()
const consentWord = z.enum(['opt_in', 'existing_customer', 'none', 'opted_out'])
/** What the file shows of a customer: what export_customers gives. */
const exportedSchema = z.object({
  ...eachField(() => word, { tags: () => z.array(z.string()) }),
  tier: word,
  visits: z.number(),
  spend: z.number(),
  spend_is_estimate: z.boolean(),
  points: z.number(),
  last_visit: word,
  source: word,
  created: z.string(),
  consent_email: consentWord,
  consent_sms: consentWord,
  consent_whatsapp: consentWord,
  emails: z.array(z.string()),
  phones: z.array(z.string()),
})
type Exported = z.infer<typeof exportedSchema>
const nextSchema = z.object({ key: z.string(), id: z.string() }).nullable()
// A page names its columns once: with every value the names would be most of it. For a million rows a loop is three
// times as fast as entries through a transform.
const pageSchema = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.custom<unknown[]>(Array.isArray)),
    next: nextSchema,
  })
  .transform(({ columns, rows, next }) => {
    const named = rows.map((values) => {
      const row: Record<string, unknown> = {}
      let place = 0
      for (const column of columns) row[column] = values[place++]
      return row
    })
    return { rows: named, next }
  })
  .pipe(z.object({ rows: z.array(exportedSchema), next: nextSchema }))

type Query = Omit<z.infer<typeof customersExportQuery>, 'language' | 'sort'> & { ids?: string[] }
type Filters = ReturnType<typeof withGuestPatterns<Query>>

/**
 * The list of customers (or those with `ids`), with its filters and in its order, as a CSV download in chunks.
 * @throws HttpError 403 without customer access, 429 for more than ten an hour.
 */
export async function exportCustomers(
  session: Pick<Session, 'db' | 'reads'>,
  { language, sort = 'recent', ...query }: z.infer<typeof customersExportQuery> & { ids?: string[] },
): Promise<Response> {
  const filters = withGuestPatterns(query)
  const id = unwrap(await session.db.rpc('log_customers_export', { p_filters: filters }))
  if (!id) throw new HttpError('FORBIDDEN')
  const places = await listLocations(session)
  const context = { locations: new Map(places.map(({ id, name }) => [id, name])), language }
  const logRows = async (rows: number) =>
    unwrap(await session.db.rpc('end_export', { p_export: id, p_rows: rows }))
  return csvDownload({
    fileName: `customers-${new Date().toISOString().slice(0, 10)}.csv`,
    separator: SEPARATORS[language],
    header: csvHeader(language),
    page: (after?: Cursor) => exportedPage(onReplica(session), { id, filters, sort }, after),
    row: (customer) => csvRow(customer, context),
    ended: logRows,
  })
}

/** The data for writing a row, besides the customer. */
interface RowContext {
  /** Names of locations by id. */
  locations: Map<string, string>
  language: CsvLanguage
}

/** A page of the list with what the file shows of each customer, of a download under way. */
async function exportedPage(
  { db }: Pick<Session, 'db'>,
  { id, filters, sort }: { id: string; filters: Filters; sort: string },
  after?: Cursor,
) {
  const answer = await db.rpc('export_customers', {
    p_export: id,
    p_filters: filters,
    p_sort: sort,
    p_after_key: after?.key,
    p_after_id: after?.id,
    p_limit: CHUNK,
    p_now: new Date().toISOString(),
  })
  const { rows, next } = pageSchema.parse(unwrap(answer))
  return { data: rows, next_cursor: next }
}

const text = (value: string | null) => value ?? ''
const HEADERS = { es: { ...esFields, ...es }, en: { ...enFields, ...en } }
const CONSENT = { es: esConsent, en: enConsent }
type CsvLanguage = keyof typeof HEADERS

type Cell = (customer: Exported, context: RowContext) => string
const cellOf =
  (name: GuestFieldName): Cell =>
  (customer) => {
    const value = customer[name]
    return Array.isArray(value) ? value.join(', ') : text(value)
  }
const {
  location_id: _,
  notes,
  ...known
} = Object.fromEntries(FIELD_NAMES.map((name) => [name, cellOf(name)])) as Record<GuestFieldName, Cell>

// An import recognises the headers of all fields that it reads; tests/api/customer-fields.test.ts tests each.
const COLUMNS: Record<GuestFieldName | 'emails' | 'phones' | Exclude<keyof typeof es, 'yes' | 'no'>, Cell> = {
  ...known,
  tier: (c) => text(c.tier),
  visits: (c) => String(c.visits),
  spend: (c, { language }) => inCsv({ kind: 'money', value: c.spend }, language),
  spend_is_estimate: (c, { language }) => HEADERS[language][c.spend_is_estimate ? 'yes' : 'no'],
  points: (c) => String(c.points),
  last_visit: (c) => text(c.last_visit),
  location_id: (c, { locations }) => locations.get(c.location_id ?? '') ?? '',
  source: (c) => text(c.source),
  created: (c) => c.created,
  notes,
  consent_email: (c, { language }) => CONSENT[language][c.consent_email],
  consent_sms: (c, { language }) => CONSENT[language][c.consent_sms],
  consent_whatsapp: (c, { language }) => CONSENT[language][c.consent_whatsapp],
  emails: (c) => c.emails.join('; '),
  phones: (c) => c.phones.join('; '),
}
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** The first line of the export. */
const csvHeader = (language: CsvLanguage): string[] => NAMES.map((name) => HEADERS[language][name])

/** A customer as a line of the export. */
const csvRow = (customer: Exported, context: RowContext): string[] =>
  NAMES.map((name) => COLUMNS[name](customer, context))

/**
 * A download of all data about a person (GDPR art. 15 and 20) in the caller's locations: reservations, messages,
 * opt-outs and the changes of the record. One consistent snapshot, logged.
 * @throws HttpError 404 when the customer does not exist or is not visible.
 */
export async function exportCustomer({ db }: Pick<Session, 'db'>, id: string): Promise<Response> {
  const held = unwrap(await db.rpc('export_customer', { p_id: id }))
  if (!held) throw new HttpError('NOT_FOUND')
  const disposition = `attachment; filename="customer-${id.toLowerCase()}.json"`
  const text = JSON.stringify(customerExportSchema.parse(held))
  // The guest of many years may fill more than a host takes in one piece.
  return new Response(streamOf([text].values()), {
    headers: { 'Content-Type': 'application/json', 'Content-Disposition': disposition },
  })
}
