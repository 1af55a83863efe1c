import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { csvLine, SEPARATORS } from '@/lib/csv/cells'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { listLocations } from '@/lib/organization/list-locations'
import { csvHeader, csvRow } from './csv-columns'
import type { customersExportQuery } from './fields'
import { queryCustomers } from './query-customers'

const BYTE_ORDER_MARK = '\ufeff'
const CHUNK = 200

/**
 * The list of customers, with its filters and in its order, as a CSV download. It is read and sent chunk by chunk, as
 * the client takes it: a million rows need no more memory than a page. A failure on the way breaks the download off.
 * @throws HttpError 403 for someone without customer access.
 */
export async function exportCustomers(
  session: Pick<Session, 'db'>,
  { language, ...query }: z.infer<typeof customersExportQuery>,
): Promise<Response> {
  // What was searched for may be a person's name, and outlive their erasure here.
  const { sort: _, search, ...rest } = query
  const filters = { ...rest, ...(search === undefined ? {} : { search: true }) }
  if (!unwrap(await session.db.rpc('log_customers_export', { p_filters: filters })))
    throw new HttpError(403, { error: 'Forbidden' })
  const places = await listLocations(session)
  const context = { locations: new Map(places.map(({ id, name }) => [id, name])), language }
  const line = (cells: string[]) => csvLine(cells, SEPARATORS[language])
  const encoder = new TextEncoder()
  let cursor: string | undefined
  let rows = 0
  const logRows = async () =>
    unwrap(await session.db.rpc('log_customers_export', { p_filters: filters, p_rows: rows }))
  // The first page is read before the answer begins: what is wrong from the start is answered as an error.
  let ahead: ReturnType<typeof queryCustomers> | null = queryCustomers(session, { ...query, limit: CHUNK })
  await ahead
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + line(csvHeader(language))))
    },
    async pull(controller) {
      const page = await (ahead ?? queryCustomers(session, { ...query, cursor, limit: CHUNK }))
      ahead = null
      const lines = page.data.map((customer) => line(csvRow(customer, context))).join('')
      if (lines) controller.enqueue(encoder.encode(lines))
      rows += page.data.length
      cursor = page.next_cursor ?? undefined
      if (cursor) return
      await logRows()
      controller.close()
    },
    async cancel() {
      await logRows()
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="customers-${new Date().toISOString().slice(0, 10)}.csv"`,
    },
  })
}
