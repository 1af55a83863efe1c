import { type Refusal, refusalOf } from '@/components/forms/send'
import type { Chat, ChatAnswer, Source } from '@/lib/assistant/schema'
import type { Failure } from './conversation'

/** How a question ended. */
export type Outcome =
  | { kind: 'done'; text: string; sources: Source[] }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'stopped' | 'unconfigured' | 'signedOut' }

interface AskOptions {
  /** Stops the question and the request to the model. */
  signal: AbortSignal
  onDelta: (text: string) => void
}

const failed = (failure: Failure): Outcome => ({ kind: 'failed', failure })

/** Asks the assistant; `onDelta` receives the text as it is streamed. Never throws. */
export async function ask(message: Chat, { signal, onDelta }: AskOptions): Promise<Outcome> {
  try {
    const response = await fetch('/api/ai/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify(message),
      signal,
    })
    if (!response.ok || !response.body) return refused(await refusalOf(response), response.headers)
    for await (const { event, data } of readEvents(response.body)) {
      if (event === 'delta') onDelta((data as { content: string }).content)
      else if (event === 'done') return outcomeOf(data as ChatAnswer)
      else if (event === 'error') return failed(failureOf(data as { detail?: string }))
    }
    return failed({ reason: 'network' })
  } catch {
    return signal.aborted ? { kind: 'stopped' } : failed({ reason: 'network' })
  }
}

function outcomeOf(answer: ChatAnswer): Outcome {
  if (!answer.success) return { kind: 'unconfigured' }
  return { kind: 'done', text: answer.content, sources: answer.sources ?? [] }
}

function refused({ status, code }: Refusal, headers: Headers): Outcome {
  if (code === 'UNAUTHORIZED') return { kind: 'signedOut' }
  if (code === 'RATE_LIMITED') return failed(tooMany(Number(headers.get('retry-after')) || 60))
  return failed({ reason: status < 500 ? 'refused' : 'server' })
}

/** The rate limit that was hit: a wait of up to a minute means the limit per minute, a longer one the daily limit. */
function tooMany(seconds: number): Failure {
  if (seconds <= 60) return { reason: 'tooMany', seconds }
  return { reason: 'today', until: new Date(Date.now() + seconds * 1000).toISOString() }
}

const failureOf = ({ detail }: { detail?: string }): Failure =>
  detail ? { reason: 'provider', detail } : { reason: 'server' }

/** A server-sent event with its parsed data. */
interface ServerEvent {
  event: string
  data: unknown
}

/** The events of a stream as they arrive. @throws errors of the stream; SyntaxError for data that is not JSON. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks.map(eventOf)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function eventOf(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return { event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? 'null') }
}
