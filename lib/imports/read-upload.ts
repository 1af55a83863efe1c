import 'server-only'
import { once } from 'node:events'
import busboy from 'busboy'
import { z } from 'zod'
import { stripInvisible } from '@/lib/csv/decode'
import { env } from '@/lib/env'
import { bodyChunks, UPLOAD_PATIENCE } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { parseJson } from '@/lib/http/json'
import { FIELDS, type Mapping } from './columns'
import { type CsvReader, csvReader, invalidColumns, type ParsedFile } from './read-csv'

/** The maximum bytes of an upload: the largest file, and a quarter more for the form around it. */
const maxBodyBytes = () => env().UPLOAD_MB * 1.28 * 1024 * 1024
const LIMITS = { fields: 20, fieldSize: 64 * 1024, parts: 30, headerPairs: 50 }

const mappingSchema = z.record(z.string(), z.enum(FIELDS).nullable())

/** The parsed content of an uploaded file, and the other fields of the form. */
export interface Upload {
  fileName: string
  file: ParsedFile
  fields: ReadonlyMap<string, string>
}

/**
 * Reads a multipart form with one CSV file in its field `file`; other fields may come before or after it, except
 * `columns` (the field of each column, as JSON), which must come before it. The file is streamed and never in memory
 * as a whole; no row is imported before the whole form has arrived.
 * @throws HttpError 400 for a malformed form, no file, several files, or a file that cannot be imported;
 *   413 for a file that is larger than UPLOAD_MB.
 */
export async function readUpload(request: Request, now: Date): Promise<Upload> {
  const tooLarge = new HttpError('BODY_TOO_LARGE')
  const most = maxBodyBytes()
  if (Number(request.headers.get('content-length')) > most) throw tooLarge
  const form = openForm(request)
  const file: { reader?: CsvReader; refusal?: HttpError } = {}
  const fields = new Map<string, string>()
  let files = 0
  let bytes = 0
  let fileName = ''
  let broken = false

  form.on('field', (name, value) => {
    fields.set(name, value)
    if (name === 'columns' && files > 0) file.refusal = invalidColumns('must come before the file')
  })
  form.on('file', (field, stream, info) => {
    // A form that ends in the middle of a file also fails as a form.
    stream.on('error', () => {})
    if (field !== 'file') return stream.resume()
    files++
    fileName = info.filename ?? ''
    const mapping = mappingOf(fields.get('columns') ?? '')
    if (mapping) file.reader ??= csvReader(now, mapping)
    else file.refusal = invalidColumns('an object of column names and what they hold')
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (files === 1) file.reader?.push(chunk)
    })
  })
  form.on('error', () => {
    broken = true
  })

  let size = 0
  for await (const chunk of bodyChunks(request, UPLOAD_PATIENCE)) {
    size += chunk.byteLength
    if (size > most) throw tooLarge
    if (broken) continue
    await new Promise((resolve) => form.write(chunk, resolve))
  }
  if (!broken) {
    form.end()
    await once(form, 'close').catch(() => {})
  }
  if (broken) throw malformed()
  if (file.refusal) throw file.refusal
  if (!file.reader || (fileName === '' && bytes === 0)) throw new HttpError('NO_FILE')
  if (files > 1) throw new HttpError('TOO_MANY_FILES')
  const result = file.reader.end()
  if ('problem' in result) throw result.problem
  const name = stripInvisible(fileName).replace(/\s+/g, ' ').trim().slice(0, 200)
  return { fileName: name || 'file.csv', file: result, fields }
}

const malformed = () => new HttpError('MALFORMED_FORM', { error: 'Malformed multipart form' })

/** The mapping of a form, empty when it has none; null when it is malformed. */
function mappingOf(text: string): Mapping | null {
  if (text.trim() === '') return new Map()
  try {
    const given = Object.entries(mappingSchema.parse(parseJson(text)))
    return new Map(given.map(([name, field]) => [stripInvisible(name).trim(), field]))
  } catch {
    return null
  }
}

function openForm(request: Request) {
  try {
    return busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      defParamCharset: 'utf8',
      limits: LIMITS,
    })
  } catch {
    throw malformed()
  }
}

const typeOf = (request: Request) =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

/** Whether the request brings a multipart form. */
export function isForm(request: Request): boolean {
  return typeOf(request) === 'multipart/form-data'
}

/**
 * Checks the body of an import without an upload. It must be absent; JSON, which clients send out of habit, is ignored.
 * @throws HttpError 415 for any other body: it may be a file sent in the wrong way.
 */
export function refuseOtherBodies(request: Request): void {
  const type = typeOf(request)
  const length = request.headers.get('content-length')
  const hasBody = length === null ? request.body !== null : Number(length) > 0
  if (hasBody && type !== '' && type !== 'application/json')
    throw new HttpError('UNSUPPORTED_CONTENT_TYPE', { error: 'Content-Type must be multipart/form-data' })
}
