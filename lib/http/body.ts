import { bodyChunks } from './body-chunks'
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
  if (type !== 'application/json')
    throw new HttpError(415, { error: 'Content-Type must be application/json' })
  try {
    return parseJson(text)
  } catch {
    throw new HttpError(400, { error: invalid })
  }
}

/**
 * The form a request carries, urlencoded or multipart; files and all but the first value of a name are left out. No body
 * is an empty form.
 * @throws HttpError 413 over the cap (bytes), 415 for another content type, 400 for a malformed form.
 */
export async function readForm(request: Request, limit = FORM_LIMIT): Promise<Map<string, string>> {
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return new Map()
  const type = request.headers.get('content-type') ?? ''
  if (!FORM.test(type)) throw new HttpError(415, { error: 'Content-Type must be a form' })
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return new Map(texts.reverse())
  } catch {
    throw new HttpError(400, { error: 'Malformed form' })
  }
}

/**
 * The body of a request as text, read with a size cap (bytes).
 * @throws HttpError 413 over the cap.
 */
export async function readText(request: Request, limit: number): Promise<string> {
  return (await readBytes(request, limit)).toString('utf8')
}

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyChunks(request)) {
    size += chunk.byteLength
    if (size > limit) throw new HttpError(413, { error: 'Request body too large' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
