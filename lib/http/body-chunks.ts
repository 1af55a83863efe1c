import { HttpError } from './errors'

// The most that is ever read of a body, in bytes: the largest upload, and a little of what comes after it.
const MOST_READ = 66 * 1024 * 1024

/** How long a body may take: so many milliseconds, and one more for each `bytesPerMs`. */
export interface Patience {
  ms: number
  bytesPerMs: number
}

/** For bodies that are small: 20 s in all. */
const USUAL_PATIENCE: Patience = { ms: 20_000, bytesPerMs: Number.POSITIVE_INFINITY }

/** For uploads: 20 s, and then 8 kB a second. */
export const UPLOAD_PATIENCE: Patience = { ms: 20_000, bytesPerMs: 8 }

/**
 * The chunks of a request's body as they come. When the reader stops before the end, the rest is read and thrown away
 * beside the answer, for as long as a body may take: bytes left on the wire would stand in the way of the connection's
 * next request.
 * @throws HttpError 408 when the body takes too long; the connection then ends with the answer.
 */
export async function* bodyChunks(
  request: Request,
  patience = USUAL_PATIENCE,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = request.body?.getReader()
  if (!reader) return
  const start = performance.now()
  let ended = false
  let size = 0
  const next = () => readBy(reader, start + patience.ms + size / patience.bytesPerMs)
  try {
    for (;;) {
      const { done, value } = await next()
      ended = done
      if (done) return
      size += value.byteLength
      yield value
    }
  } catch (error) {
    ended = true
    throw error
  } finally {
    if (!ended) void discard(reader, MOST_READ - size)
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The next chunk, or a 408 at that moment (of `performance.now()`) and the end of the reading. */
async function readBy(reader: Reader, moment: number): ReturnType<Reader['read']> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HttpError(408, { error: 'Request body too slow' }, { Connection: 'close' })),
      Math.max(0, moment - performance.now()),
    )
  })
  try {
    return await Promise.race([reader.read(), late])
  } catch (error) {
    reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function discard(reader: Reader, most: number): Promise<void> {
  const moment = performance.now() + USUAL_PATIENCE.ms
  try {
    for (let size = 0; size < most; ) {
      const { done, value } = await readBy(reader, moment)
      if (done) return
      size += value.byteLength
    }
    await reader.cancel()
  } catch {
    // The sender has gone, or is too slow.
  }
}
