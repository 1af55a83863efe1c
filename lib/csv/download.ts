import { setImmediate } from 'node:timers/promises'
import { csvLine } from './cells'

const BYTE_ORDER_MARK = '\ufeff'

/** Records that are read page by page. */
export interface Source<T, Cursor> {
  /** A page of records. */
  page: (cursor: Cursor | undefined) => Promise<{ data: readonly T[]; next_cursor: Cursor | null }>
  /** Called once with the number of rows sent: at the end, or when the client disconnects. */
  ended?: (rows: number) => Promise<unknown>
}

interface CsvDownload<T, Cursor> extends Source<T, Cursor> {
  fileName: string
  separator: string
  header: readonly string[]
  /** A record as its cells. */
  row: (record: T) => string[]
}

/**
 * The pages of a source, as fast as they are taken: the next page is read while one is being used, so that a million
 * rows need no more memory than two pages. A failure on the way ends them with its error, and nothing is counted.
 * @throws errors of the first page, which is read at once, so that an early failure is an error response.
 */
export async function pagesOf<T, Cursor>({
  page,
  ended,
}: Source<T, Cursor>): Promise<{
  first: readonly T[]
  pages: AsyncGenerator<readonly T[], void, undefined>
}> {
  let ahead = page(undefined)
  const { data: first } = await ahead
  async function* pages() {
    let rows = 0
    let failed = false
    try {
      for (;;) {
        const { data, next_cursor } = await ahead
        if (next_cursor !== null) {
          ahead = page(next_cursor)
          // Thrown when its turn comes, if it does.
          ahead.catch(() => undefined)
          // The request is sent before this page's lines take the thread.
          await setImmediate()
        }
        rows += data.length
        yield data
        if (next_cursor === null) return
      }
    } catch (error) {
      failed = true
      throw error
    } finally {
      if (!failed) await ended?.(rows)
    }
  }
  return { first, pages: pages() }
}

/**
 * A CSV file that is read and sent page by page, as fast as the client reads (`pagesOf`). A failure on the way aborts
 * the download: the answer has no length, so that the client notices that its end is missing.
 * @throws errors of the first page.
 */
export async function csvDownload<T, Cursor = string>(file: CsvDownload<T, Cursor>): Promise<Response> {
  const line = (cells: readonly string[]) => csvLine(cells, file.separator)
  const { pages } = await pagesOf(file)
  async function* text() {
    let head = BYTE_ORDER_MARK + line(file.header)
    for await (const page of pages) {
      yield head + page.map((record) => line(file.row(record))).join('')
      head = ''
    }
  }
  return new Response(streamOf(text()), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.fileName}"`,
    },
  })
}

/**
 * Pieces of text as the body of an answer, in UTF-8. It has no length: hosts that limit answers (4.5 MB on Vercel) send
 * it on in chunks.
 */
export function streamOf(pieces: Iterator<string> | AsyncIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}
