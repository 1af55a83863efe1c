'use client'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { type Refusal, refusalOf, send } from '@/components/forms/send'
import type { Consent } from '@/lib/imports/consents'
import type { ImportDetail, ImportEvent } from '@/lib/imports/schema'
import type { Chosen } from './import-fields'

/** The state of an import. `total` is 0 until the server has read the file. */
export type ImportState =
  | { kind: 'idle' }
  | { kind: 'running'; id: string | null; processed: number; total: number; cancelling: boolean }
  /** `began`: some rows may have been imported. */
  | { kind: 'refused'; refusal: Refusal; began: boolean }
  | { kind: 'over'; run: ImportDetail }

/** The most rows of a file that are imported. */
const MAX_ROWS = 5000

/** Starts, follows and cancels an import. Rows saved before a cancellation stay. */
export function useImport() {
  const router = useRouter()
  const [state, setState] = useState<ImportState>({ kind: 'idle' })
  const abort = useRef<AbortController>(null)

  async function start(order: Order) {
    const controller = new AbortController()
    abort.current = controller
    let id: string | null = null
    setState({ kind: 'running', id, processed: 0, total: 0, cancelling: false })
    const patch = (changes: { id?: string | null; processed?: number; total?: number }) =>
      setState((now) => (now.kind === 'running' ? { ...now, ...changes } : now))
    for await (const event of upload(order, controller.signal)) {
      if (event.type === 'started') {
        id = event.import_id
        patch({ id })
        void read(id).then((run) => run && patch({ total: Math.min(run.total, MAX_ROWS) }))
      } else if (event.type === 'progress') patch({ processed: event.processed })
      else if (event.type === 'refused') {
        setState(
          controller.signal.aborted
            ? { kind: 'idle' }
            : { kind: 'refused', refusal: event.refusal, began: id !== null },
        )
        return
      }
    }
    const run = id ? await read(id) : null
    setState(run ? { kind: 'over', run } : { kind: 'refused', refusal: INTERRUPTED, began: id !== null })
    router.refresh()
  }

  async function cancel() {
    if (state.kind !== 'running') return
    // Nothing is saved before the server has started: the upload is aborted.
    if (!state.id) return abort.current?.abort()
    setState({ ...state, cancelling: true })
    await send('POST', `/api/imports/${state.id}/cancel`)
  }

  return { state, start, cancel, reset: () => setState({ kind: 'idle' }) }
}

async function read(id: string): Promise<ImportDetail | null> {
  const answer = await send<ImportDetail>('GET', `/api/imports/${id}`)
  return answer.ok ? answer.data : null
}

type UploadEvent = ImportEvent | { type: 'refused'; refusal: Refusal }

/** The connection broke before or during the answer. */
const INTERRUPTED: Refusal = { ok: false, status: 0, issues: [] }

/** A file and its import options. */
export interface Order {
  file: File
  /** Empty for no location. */
  locationId: string
  consent: Consent
  columns: Chosen
}

/**
 * Uploads a file and yields the import's events as the server sends them, one a line. Ends with the import. Never
 * throws.
 */
async function* upload(
  { file, locationId, consent, columns }: Order,
  signal: AbortSignal,
): AsyncGenerator<UploadEvent, void> {
  const form = new FormData()
  // The options come before the file, because the server reads the body as a stream.
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
    yield { type: 'refused', refusal: INTERRUPTED }
  }
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
