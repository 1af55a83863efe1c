'use client'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { send } from '@/components/settings/send'
import type { ImportDetail } from '@/lib/imports/schema'
import { type Order, type Refusal, upload } from './upload'

/** Where an import stands. `total` is 0 until the server has read the file. */
export type ImportState =
  | { kind: 'idle' }
  | { kind: 'running'; id: string | null; processed: number; total: number; cancelling: boolean }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'over'; run: ImportDetail }

/** The rows of a file that are processed. */
const MAX_ROWS = 5000

/** Starts an import, follows it and cancels it. What is saved when it is cancelled stays. */
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
        setState(controller.signal.aborted ? { kind: 'idle' } : { kind: 'refused', refusal: event.refusal })
        return
      }
    }
    const run = id ? await read(id) : null
    setState(run ? { kind: 'over', run } : { kind: 'refused', refusal: 'failed' })
    router.refresh()
  }

  async function cancel() {
    if (state.kind !== 'running') return
    // Before the server has begun there is nothing to keep: the upload is simply cut.
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
