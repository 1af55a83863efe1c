import 'server-only'
import { z } from 'zod'
import { onReplica, type Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload } from '@/lib/csv/download'
import { type Cell, inCsv, textCell as text, xlsxDownload } from '@/lib/csv/sheet'
import { withAllergies } from '@/lib/customers/allergies'
import type { FactCode } from '@/lib/customers/fact-codes'
import { addDays } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { HttpError, invalidInput } from '@/lib/http/errors'
import enFacts from '@/lib/i18n/en/client/facts.json'
import enStatus from '@/lib/i18n/en/status.json'
import esFacts from '@/lib/i18n/es/client/facts.json'
import esStatus from '@/lib/i18n/es/status.json'
import en from './export-header/en.json'
import es from './export-header/es.json'
import { EXPORT_DAYS, type reservationsExportQuery } from './filters'
import { listDays, serviceDayAt } from './reads'
import { reservationSchema } from './schema'

const CHUNK = 500

const exportedSchema = reservationSchema
  .pick({
    ...{
      id: true,
      customer_id: true,
      reservation_date: true,
      reservation_time: true,
      customer_name: true,
      party_size: true,
    },
    ...{ status: true, notes: true, total_amount: true, source: true, zone_name: true, table_name: true },
  })
  .extend({
    customer_phone: z.string().nullable(),
    customer_email: z.string().nullable(),
    walk_in: z.boolean(),
    location: z.object({ name: z.string() }).nullable(),
    customer: z.object({ loyalty_tier: z.object({ name: z.string() }).nullable() }).nullable(),
  })
type Exported = z.infer<typeof exportedSchema> & { allergies: readonly string[] }
const COLUMNS =
  'id, customer_id, reservation_date, reservation_time, customer_name, party_size, status, notes, total_amount, source, zone_name, ' +
  'table_name, customer_phone, customer_email, walk_in, location:locations!reservations_location_id_fkey(name), ' +
  'customer:customers!reservations_customer_id_fkey(loyalty_tier:loyalty_tiers(name))'

const HEADERS = { es, en }
const ALLERGENS = { es: esFacts, en: enFacts }
const STATUSES = { es: esStatus.one, en: enStatus.one }
type Language = keyof typeof HEADERS

const CELLS: Record<
  Exclude<keyof typeof es, 'yes' | 'no' | 'sources'>,
  (r: Exported, language: Language) => Cell
> = {
  date: (r) => ({ kind: 'date', value: r.reservation_date }),
  time: (r) => ({ kind: 'time', value: r.reservation_time }),
  location: (r) => text(r.location?.name),
  name: (r) => text(r.customer_name),
  party_size: (r) => ({ kind: 'number', value: r.party_size }),
  status: (r, language) => text(STATUSES[language][r.status]),
  zone: (r) => text(r.zone_name),
  table: (r) => text(r.table_name),
  phone: (r) => text(r.customer_phone),
  email: (r) => text(r.customer_email),
  tier: (r) => text(r.customer?.loyalty_tier?.name),
  allergies: (r, language) =>
    text(r.allergies.map((code) => ALLERGENS[language][code as FactCode]).join(', ') || null),
  notes: (r) => text(r.notes),
  amount: (r) => ({ kind: 'money', value: r.total_amount }),
  source: (r, language) => text(HEADERS[language].sources[r.source]),
  walk_in: (r, language) => text(HEADERS[language][r.walk_in ? 'yes' : 'no']),
}
const NAMES = Object.keys(CELLS) as (keyof typeof CELLS)[]

/**
 * The reservations that the filters match as a file, sent in chunks. The audit log records the person, the filters and the
 * number of rows.
 * @throws HttpError 403 without access, 429 for more than ten an hour, 400 for more days than a file holds.
 */
export async function exportReservations(
  session: Pick<Session, 'db' | 'reads'>,
  { language, format, date, until, ...query }: z.infer<typeof reservationsExportQuery>,
  now = new Date(),
): Promise<Response> {
  const from = date ?? (await serviceDayAt(session, query.location_id, now))
  const to = until ?? from
  if (to < from || to >= addDays(from, EXPORT_DAYS))
    throw invalidInput({ path: 'until', code: 'out_of_range', message: `must be 1 to ${EXPORT_DAYS} days` })
  const filters = { ...query, format, date: from, until: to }
  const id = unwrap(await session.db.rpc('log_reservations_export', { p_filters: filters }))
  if (!id) throw new HttpError('FORBIDDEN')
  const ended = async (rows: number) =>
    unwrap(await session.db.rpc('end_export', { p_export: id, p_rows: rows }))
  const asked = { ...query, date: from, until: to, limit: CHUNK }
  const reader = onReplica(session)
  const page = async (cursor?: string) => {
    const found = await listDays(reader, { ...asked, cursor }, COLUMNS, exportedSchema)
    return { ...found, data: await withAllergies(reader, found.data) }
  }
  const header = NAMES.map((name) => HEADERS[language][name])
  const fileName = `reservations-${from}${to === from ? '' : `-${to}`}.${format}`
  const file = { fileName, page, ended }
  if (format === 'csv')
    return csvDownload({
      ...{ ...file, header, separator: SEPARATORS[language] },
      row: (reservation) => NAMES.map((name) => inCsv(CELLS[name](reservation, language), language)),
    })
  return xlsxDownload({
    ...file,
    columns: NAMES.map((name, index) => ({ title: header[index] ?? '', width: name === 'notes' ? 50 : 16 })),
    row: (reservation) => NAMES.map((name) => CELLS[name](reservation, language)),
  })
}
