import { setImmediate } from 'node:timers/promises'
import { csvLine } from './cells'

const BYTE_ORDER_MARK = '\ufeff'

interface CsvDownload<T, Cursor> {
  fileName: string
  separator: string
  header: readonly string[]
  /** A page of records. */
  page: (cursor: Cursor | undefined) => Promise<{ data: readonly T[]; next_cursor: Cursor | null }>
  /** A record as its cells. */
  row: (record: T) => string[]
  /** Called once with the number of rows sent: at the end, or when the client disconnects. */
  ended: (rows: number) => Promise<unknown>
}

/**
 * A CSV file that is read and sent page by page, as fast as the client reads: a million rows need no more memory than
 * two pages, because the next page is read while one is being sent. A failure on the way aborts the download: the
 * answer has no length, so that the client notices that its end is missing.
 * @throws errors of the first page, which is read before the answer begins, so that an early failure is an error
 * response.
 */
export async function csvDownload<T, Cursor = string>(file: CsvDownload<T, Cursor>): Promise<Response> {
  const line = (cells: readonly string[]) => csvLine(cells, file.separator)
  const encoder = new TextEncoder()
  let rows = 0
  let ahead = file.page(undefined)
  await ahead
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + line(file.header)))
    },
    async pull(controller) {
      const page = await ahead
      if (page.next_cursor !== null) {
        ahead = file.page(page.next_cursor)
        // Thrown by the next pull, if there is one.
        ahead.catch(() => undefined)
        // The request is sent before this page's lines take the thread.
        await setImmediate()
      }
      const lines = page.data.map((record) => line(file.row(record))).join('')
      if (lines) controller.enqueue(encoder.encode(lines))
      rows += page.data.length
      if (page.next_cursor !== null) return
      await file.ended(rows)
      controller.close()
    },
    async cancel() {
      await file.ended(rows)
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.fileName}"`,
    },
  })
}
