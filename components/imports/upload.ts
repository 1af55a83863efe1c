import type { Consent } from '@/lib/imports/consents'
import type { ImportEvent } from '@/lib/imports/schema'
import type { Chosen } from './column-mapping'

/** Why a file was not imported at all: nothing was written then. */
export type Refusal =
  | 'noHeader'
  | 'utf16'
  | 'empty'
  | 'tooLarge'
  | 'tooMany'
  | 'forbidden'
  | 'unknownLocation'
  | 'columns'
  | 'failed'
type UploadEvent = ImportEvent | { type: 'refused'; refusal: Refusal }

const TEXTS: readonly [RegExp, Refusal][] = [
  [/^No known header/, 'noHeader'],
  [/UTF-16/, 'utf16'],
  [/is empty|^No file/, 'empty'],
  [/^Unknown location/, 'unknownLocation'],
  [/^columns/, 'columns'],
]
const STATUSES: Record<number, Refusal> = { 403: 'forbidden', 413: 'tooLarge', 429: 'tooMany' }

/** A file, and what was said about it. */
export interface Order {
  file: File
  /** Empty: no location. */
  locationId: string
  consent: Consent
  columns: Chosen
}

/** Uploads a file and tells of the import line by line as the server does. Never throws; ends when it is over. */
export async function* upload(
  { file, locationId, consent, columns }: Order,
  signal: AbortSignal,
): AsyncGenerator<UploadEvent, void> {
  const form = new FormData()
  // Before the file: it is read as it comes.
  form.set('columns', JSON.stringify(columns))
  form.set('consent', consent)
  if (locationId) form.set('location_id', locationId)
  form.set('file', file)
  try {
    const headers = { Accept: 'application/x-ndjson' }
    const response = await fetch('/api/imports', { method: 'POST', body: form, headers, signal })
    if (!response.ok || !response.body) {
      yield { type: 'refused', refusal: await refusalOf(response) }
      return
    }
    for await (const line of linesOf(response.body)) yield JSON.parse(line) as ImportEvent
  } catch {
    yield { type: 'refused', refusal: 'failed' }
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const answer = await response.json().catch(() => ({}))
  const known = TEXTS.find(([text]) => text.test(String(answer.error ?? '')))
  return known?.[1] ?? STATUSES[response.status] ?? 'failed'
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line) yield line
  }
}
