import type { Chat, ChatAnswer, Source } from '@/lib/assistant/schema'
import { readEvents } from './read-events'
import type { Failure } from './turn'

/** How a question ended. */
export type Outcome =
  | { kind: 'done'; text: string; sources: Source[] }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'stopped' | 'unconfigured' | 'signedOut' }

interface AskOptions {
  /** Stops the question, and the model with it. */
  signal: AbortSignal
  onDelta: (text: string) => void
}

const failed = (failure: Failure): Outcome => ({ kind: 'failed', failure })

/** Asks the assistant and hands over its words as they come. Never throws. */
export async function ask(message: Chat, { signal, onDelta }: AskOptions): Promise<Outcome> {
  try {
    const response = await fetch('/api/ai/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify(message),
      signal,
    })
    if (!response.ok || !response.body) return refused(response)
    for await (const { event, data } of readEvents(response.body)) {
      if (event === 'delta') onDelta((data as { content: string }).content)
      else if (event === 'done') return ended(data as ChatAnswer)
      else if (event === 'error') return failed(failureOf((data as { content: string }).content))
    }
    return failed({ reason: 'network' })
  } catch {
    return signal.aborted ? { kind: 'stopped' } : failed({ reason: 'network' })
  }
}

function ended(answer: ChatAnswer): Outcome {
  if (!answer.success) return { kind: 'unconfigured' }
  return { kind: 'done', text: answer.content, sources: answer.sources ?? [] }
}

function refused({ status, headers }: Response): Outcome {
  if (status === 401) return { kind: 'signedOut' }
  if (status === 429) return failed(tooMany(Number(headers.get('retry-after')) || 60))
  return failed({ reason: status < 500 ? 'refused' : 'server' })
}

/** The limit of a minute never waits longer than that; the day's waits until midnight. */
function tooMany(seconds: number): Failure {
  if (seconds <= 60) return { reason: 'tooMany', seconds }
  return { reason: 'today', until: new Date(Date.now() + seconds * 1000).toISOString() }
}

/** The API's failures are `❌ Error: …`: the provider's words, or none that a person could use. */
function failureOf(content: string): Failure {
  const detail = content.replace(/^❌ Error: /, '').trim()
  return detail === '' || detail === 'Unexpected error'
    ? { reason: 'server' }
    : { reason: 'provider', detail }
}
