// The app's side: the code that runs automations and sends, in a process of its own.
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import { finishRun, startRun } from '@/lib/automations/run'
import type { Database } from '@/lib/db/database.types'
import { drain } from '@/lib/messaging/drain'
import type { OutboundMessage, Outcome, Provider } from '@/lib/messaging/provider'
import { answerQuestions } from '../support/worker'

/** Run an automation with the sandbox as provider, or send what is queued through a provider with this latency. */
export type MessagesQuestion = { url: string; secretKey: string; organizationId: string } & (
  | { ask: 'run'; automationId: string }
  | { ask: 'send'; latencyMs: number }
)

export interface MessagesAnswer {
  milliseconds: number
  sent: number
  /** The most requests at the provider at once; only for `ask: 'send'`. */
  mostInFlight: number
  /** The most resident memory of the process' life, in MB. */
  peakMb: number
}

answerQuestions(async (question: MessagesQuestion): Promise<MessagesAnswer> => {
  const { url, secretKey, organizationId } = question
  const db = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const request = { db, organizationId, now: () => new Date(), signal: AbortSignal.timeout(900_000) }
  const provider = stub(question.ask === 'send' ? question.latencyMs : 0)
  const start = performance.now()
  let sent: number
  if (question.ask === 'run') {
    const run = { ...request, automationId: question.automationId, triggeredBy: 'manual' as const }
    const started = await startRun(run)
    if (started.outcome !== 'enqueued') throw new Error(`The run is ${started.outcome}`)
    sent = (await finishRun(run, started)).sent
  } else {
    await drain({ ...request, providers: { email: provider, sms: provider, whatsapp: provider } })
    sent = provider.count()
  }
  const milliseconds = performance.now() - start
  const peakMb = process.resourceUsage().maxRSS / 1024
  return { milliseconds, sent, mostInFlight: provider.most(), peakMb }
})

/** Accepts one message at a time after `latencyMs`, like Twilio; sets no rate limit. */
function stub(latencyMs: number): Provider & { count: () => number; most: () => number } {
  let count = 0
  let inFlight = 0
  let most = 0
  async function accept({ id }: OutboundMessage): Promise<Outcome> {
    most = Math.max(most, ++inFlight)
    await wait(latencyMs)
    inFlight--
    count++
    return { kind: 'accepted', providerId: `stub-${id}` }
  }
  return {
    name: 'stub',
    send: (batch, gate) =>
      Promise.all(
        batch.map((message) =>
          gate
            ? gate.pass(
                () => accept(message),
                () => 'fine',
              )
            : accept(message),
        ),
      ),
    count: () => count,
    most: () => most,
  }
}
