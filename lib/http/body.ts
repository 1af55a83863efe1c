import { HttpError } from './errors'
import { parseJson } from './json'

const DEFAULT_LIMIT = 1024 * 1024
const FORM_LIMIT = 64 * 1024
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i

/**
 * The JSON body of a request, read with a size cap (bytes).
 * @throws HttpError 413 over the cap, 415 for another content type, 400 (`invalid`) for JSON that `parseJson` refuses.
 */
export async function readJson(request: Request, invalid: string, limit = DEFAULT_LIMIT): Promise<unknown> {
  const text = await readText(request, limit)
  if (text === '') return undefined
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new HttpError('UNSUPPORTED_CONTENT_TYPE')
  try {
    return parseJson(text)
  } catch {
    throw new HttpError('MALFORMED_JSON', { error: invalid })
  }
}

/**
 * The form in a request, urlencoded or multipart; files and repeated values of a name are left out. A request without a
 * body has an empty form.
 * @throws HttpError 413 over the cap (bytes), 415 for another content type, 400 for a malformed form.
 */
export async function readForm(request: Request, limit = FORM_LIMIT): Promise<Map<string, string>> {
  return new Map((await readFormEntries(request, limit)).reverse())
}

/**
 * The fields of the form in a request in their order, as `readForm` takes it, repeated ones each time.
 * @throws HttpError as `readForm`.
 */
export async function readFormEntries(request: Request, limit = FORM_LIMIT): Promise<[string, string][]> {
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return []
  const type = request.headers.get('content-type') ?? ''
  if (!FORM.test(type))
    throw new HttpError('UNSUPPORTED_CONTENT_TYPE', { error: 'Content-Type must be a form' })
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    return [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  } catch {
    throw new HttpError('MALFORMED_FORM')
  }
}

/**
 * The one file in the field `file` of a multipart form, with the last part of its name (`file` without one) and the type
 * that the sender declared, which proves nothing.
 * @throws HttpError 413 over the cap (bytes), 415 for another content type, 400 for a malformed form or without a file.
 */
export async function readFile(
  request: Request,
  limit: number,
): Promise<{ name: string; type: string; bytes: Uint8Array }> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new HttpError('UNSUPPORTED_CONTENT_TYPE', { error: 'Content-Type must be multipart/form-data' })
  const body = await readBytes(request, limit + FORM_LIMIT, UPLOAD_PATIENCE)
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new HttpError('MALFORMED_FORM')
    })
  const file = form.get('file')
  if (!(file instanceof Blob) || file.size === 0) throw new HttpError('NO_FILE')
  if (file.size > limit) throw new HttpError('BODY_TOO_LARGE')
  const last = (file.name.split(/[\\/]/).pop() ?? '').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  const name = last.toWellFormed().trim().slice(0, 120).trim()
  const declared = file.type.split(';')[0]?.trim().toLowerCase() ?? ''
  return { name: name || 'file', type: declared, bytes: new Uint8Array(await file.arrayBuffer()) }
}

/**
 * The body of a request as text, read with a size cap (bytes).
 * @throws HttpError 413 over the cap.
 */
export async function readText(request: Request, limit: number): Promise<string> {
  return (await readBytes(request, limit)).toString('utf8')
}

async function readBytes(request: Request, limit: number, patience?: Patience): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyChunks(request, patience)) {
    size += chunk.byteLength
    if (size > limit) throw new HttpError('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// The maximum bytes read of a body: the largest upload, and some slack.
const MAX_BODY_BYTES = 66 * 1024 * 1024

/** The time limit for reading a body: `ms` milliseconds, plus one for each `bytesPerMs` received. */
export interface Patience {
  ms: number
  bytesPerMs: number
}

/** For small bodies: 20 s in total. */
const USUAL_PATIENCE: Patience = { ms: 20_000, bytesPerMs: Number.POSITIVE_INFINITY }

/** For uploads: 20 s, plus one second for each 8 kB. */
export const UPLOAD_PATIENCE: Patience = { ms: 20_000, bytesPerMs: 8 }

/**
 * The chunks of a request's body as they come. When the reader stops before the end, the rest is discarded
 * in the background, for as long as a body may take: unread bytes would block the connection's next request.
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
    if (!ended) void discard(reader, MAX_BODY_BYTES - size)
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The next chunk. At the deadline (of `performance.now()`) it stops reading and throws 408. */
async function readBy(reader: Reader, moment: number): ReturnType<Reader['read']> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HttpError('BODY_TOO_SLOW', { headers: { Connection: 'close' } })),
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
    // The client disconnected, or is too slow.
  }
}
