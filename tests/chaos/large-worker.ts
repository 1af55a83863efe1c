// The app's side of the large run: starts it, or goes on with it as the scheduler does. Made to be killed.
import { appendFileSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import { finishPlans, finishRun, startRun } from '@/lib/automations/run'
import type { Database } from '@/lib/db/database.types'
import { drain } from '@/lib/messaging/drain'
import type { Provider } from '@/lib/messaging/provider'
import { sweepLeases } from '@/lib/messaging/queue'
import { answerQuestions } from '../bench/support/worker'

/** What to run, and where the provider's ledger is. */
export interface LargeQuestion {
  url: string
  secretKey: string
  organizationId: string
  automationId: string
  /** A line for each accepted e-mail: its idempotency key and id. */
  ledger: string
  /** How much later than by the machine's clock it is. */
  offsetMs: number
  /** Whether the run has begun. */
  begun: boolean
}

const PER_REQUEST = 100

answerQuestions(async (question: LargeQuestion): Promise<'drained'> => {
  const { url, secretKey, organizationId, automationId, ledger, offsetMs } = question
  const db = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const now = () => new Date(Date.now() + offsetMs)
  const signal = AbortSignal.timeout(600_000)
  const email: Provider = {
    name: 'ledger',
    batchSize: PER_REQUEST,
    // Written at once: what a killed process had sent stays sent.
    send: async (batch) => {
      for (let from = 0; from < batch.length; from += PER_REQUEST) {
        const request = batch.slice(from, from + PER_REQUEST)
        appendFileSync(ledger, request.map(({ idempotencyKey, id }) => `${idempotencyKey} ${id}\n`).join(''))
      }
      return batch.map(({ id }) => ({ kind: 'accepted', providerId: `ledger-${id}` }))
    },
  }
  const providers = { email, sms: email, whatsapp: email }
  const request = { db, organizationId, now, signal, providers }
  await sweepLeases(db, now())
  if (question.begun) await finishPlans(request)
  else {
    const run = { ...request, automationId, triggeredBy: 'schedule' as const }
    const started = await startRun(run)
    if (started.outcome === 'enqueued') await finishRun(run, started)
  }
  await drain(request)
  return 'drained'
})
