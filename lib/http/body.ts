import { HttpError } from './errors'

const DEFAULT_LIMIT = 1024 * 1024

/**
 * The JSON body of a request, read with a size cap (bytes).
 * @throws HttpError 413 over the cap, 415 for another content type, 400 (`invalid`) for malformed JSON.
 */
export async function readJson(request: Request, invalid: string, limit = DEFAULT_LIMIT): Promise<unknown> {
  const text = await readText(request, limit)
  if (text === '') return undefined
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new HttpError(415, { error: 'Content-Type must be application/json' })
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, { error: invalid })
  }
}

async function readText(request: Request, limit: number): Promise<string> {
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limit) throw new HttpError(413, { error: 'Request body too large' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
