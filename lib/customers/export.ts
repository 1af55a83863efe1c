import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload } from '@/lib/csv/download'
import enConsent from '@/lib/customers/csv-consent/en.json'
import esConsent from '@/lib/customers/csv-consent/es.json'
import en from '@/lib/customers/csv-header/en.json'
import es from '@/lib/customers/csv-header/es.json'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { listLocations } from '@/lib/locations/locations'
import type { Channel } from '@/lib/messaging/schema'
import { customerExportSchema } from './export-schema'
import type { customersExportQuery } from './filters'
import { listCustomers } from './list-customers'
import type { Customer } from './schema'

const CHUNK = 200

/**
 * The list of customers (or those with `ids`), with its filters and in its order, as a CSV download in chunks.
 * @throws HttpError 403 without customer access.
 */
export async function exportCustomers(
  session: Pick<Session, 'db'>,
  { language, ...query }: z.infer<typeof customersExportQuery> & { ids?: string[] },
): Promise<Response> {
  // The search may be a person's name: in the log it would outlive their erasure.
  const { sort: _, search, ids, ...rest } = query
  const filters = {
    ...rest,
    ...(search === undefined ? {} : { search: true }),
    ...(ids === undefined ? {} : { selected: ids.length }),
  }
  if (!unwrap(await session.db.rpc('log_customers_export', { p_filters: filters })))
    throw new HttpError('FORBIDDEN')
  const places = await listLocations(session)
  const context = { locations: new Map(places.map(({ id, name }) => [id, name])), language }
  const logRows = async (rows: number) =>
    unwrap(await session.db.rpc('log_customers_export', { p_filters: filters, p_rows: rows }))
  return csvDownload({
    fileName: `customers-${new Date().toISOString().slice(0, 10)}.csv`,
    separator: SEPARATORS[language],
    header: csvHeader(language),
    page: (cursor) => listCustomers(session, { ...query, cursor, limit: CHUNK }),
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

const text = (value: string | null) => value ?? ''
const HEADERS = { es, en }
const CONSENT = { es: esConsent, en: enConsent }
const DECIMAL_MARKS = { es: ',', en: '.' }
type CsvLanguage = keyof typeof HEADERS

const consent =
  (channel: Channel) =>
  ({ consent }: Customer, { language }: RowContext): string =>
    CONSENT[language][consent[channel].opted_out ? 'opted_out' : consent[channel].basis]

// An import recognises the headers of all fields that it reads; tests/api/customer-fields.test.ts tests each.
const COLUMNS: Record<
  Exclude<keyof typeof es, 'yes' | 'no'>,
  (customer: Customer, context: RowContext) => string
> = {
  first_name: (c) => text(c.first_name),
  last_name: (c) => text(c.last_name),
  email: (c) => text(c.email),
  phone: (c) => text(c.phone),
  birth_date: (c) => text(c.birth_date),
  company: (c) => text(c.company),
  job_title: (c) => text(c.job_title),
  address: (c) => text(c.address),
  tags: (c) => c.tags.join(', '),
  tier: (c) => text(c.loyalty_tier?.name ?? null),
  visits: (c) => String(c.total_visits),
  spend: (c, { language }) => c.total_spend.toFixed(2).replace('.', DECIMAL_MARKS[language]),
  spend_is_estimate: (c, { language }) => HEADERS[language][c.spend_is_estimate ? 'yes' : 'no'],
  points: (c) => String(c.points),
  last_visit: (c) => text(c.last_visit_at?.slice(0, 10) ?? null),
  location: (c, { locations }) => locations.get(c.location_id ?? '') ?? '',
  source: (c) => text(c.source),
  created: (c) => c.created_at.slice(0, 10),
  notes: (c) => text(c.notes),
  consent_email: consent('email'),
  consent_sms: consent('sms'),
  consent_whatsapp: consent('whatsapp'),
}
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** The first line of the export. */
const csvHeader = (language: CsvLanguage): string[] => NAMES.map((name) => HEADERS[language][name])

/** A customer as a line of the export. */
const csvRow = (customer: Customer, context: RowContext): string[] =>
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
  return Response.json(customerExportSchema.parse(held), { headers: { 'Content-Disposition': disposition } })
}
