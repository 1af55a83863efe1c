// A process that drains as the scheduler does: sweeps, starts the automations, sends what is due. Made to be killed.
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import { startRun } from '@/lib/automations/run'
import { planCampaign } from '@/lib/campaigns/plan'
import type { Database } from '@/lib/db/database.types'
import { drain } from '@/lib/messaging/drain'
import { sweepLeases } from '@/lib/messaging/queue'
import { resendProvider } from '@/lib/messaging/resend'
import { twilioProvider } from '@/lib/messaging/twilio'
import { answerQuestions } from '../bench/support/worker'
import { RESEND, TWILIO } from '../factories/integrations'

/** What to drain, and where everything is. */
export interface DrainQuestion {
  urls: { database: string; twilio: string; resend: string }
  secretKey: string
  organizationId: string
  automations: string[]
  campaign: string | null
  /** How much later than by the machine's clock it is. */
  offsetMs: number
}

/** Short, so that requests that hang do not hold up the 200 runs. */
const TIMEOUT_MS = 400
/** Few, so that a channel is claimed in several parts. */
const PER_SECOND = 10

answerQuestions(async (question: DrainQuestion): Promise<'drained'> => {
  const { urls, organizationId, offsetMs } = question
  let later = offsetMs
  const now = () => new Date(Date.now() + later)
  // Waiting for a channel's turn takes no time but the drainer's own.
  const sleep = async (ms: number) => {
    later += Math.max(ms, 0)
  }
  const db = createClient<Database>(urls.database, question.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const signal = AbortSignal.timeout(60_000)
  // Waiting out a Retry-After takes a twentieth of its time.
  const clock = { now, sleep: (ms: number) => pause(ms / 20) }
  const { account_sid: accountSid, auth_token: authToken } = TWILIO
  const twilio = (from: string) => {
    const statusCallback = 'http://127.0.0.1:9/status'
    const account = { accountSid, authToken, from, statusCallback, baseUrl: urls.twilio, pace: PER_SECOND }
    return twilioProvider({ ...account, timeoutMs: TIMEOUT_MS, clock })
  }
  const { api_key: apiKey, from_email: fromEmail, from_name: fromName } = RESEND
  const resend = {
    apiKey,
    fromEmail,
    fromName,
    baseUrl: urls.resend,
    pace: PER_SECOND,
    timeoutMs: TIMEOUT_MS,
    clock,
  }
  const providers = {
    email: resendProvider(resend),
    sms: twilio(TWILIO.sms_from),
    whatsapp: twilio(TWILIO.whatsapp_from),
  }
  await sweepLeases(db, now())
  for (const automationId of question.automations)
    await startRun({ db, organizationId, automationId, triggeredBy: 'schedule', now })
  const { campaign } = question
  // In small parts, so that a process dies between two of them.
  const plan = async () => {
    if (campaign !== null) await planCampaign({ db, organizationId, now, signal }, campaign, providers, 10)
  }
  await plan()
  await drain({ db, organizationId, now, signal, providers, sleep })
  await plan()
  return 'drained'
})
