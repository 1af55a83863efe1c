// The ways out of the server, in a process of their own that tests/security/outside-calls.test.ts weighs.
import { modelOf } from '@/lib/assistant/provider'
import type { OutboundMessage, Outcome } from '@/lib/messaging/provider'
import { resendProvider } from '@/lib/messaging/resend'
import { twilioProvider } from '@/lib/messaging/twilio'
import { fetchReservations } from '@/lib/pms/client'
import type { CallName } from './calls'
import { weighAnswers } from './peak-memory'

const message: OutboundMessage = {
  id: 'm1',
  channel: 'sms',
  recipient: '+34600000000',
  content: { subject: 'x', body: 'x' },
  idempotencyKey: 'm1',
}
const mail: OutboundMessage = { ...message, channel: 'email', recipient: 'c@d.example' }
const query = { slug: 'alfa', from: '2026-01-01', to: '2026-01-01' }
const params = { messages: [{ role: 'user' as const, content: 'Hola' }] }
const model = (url: string, ms: number) =>
  modelOf(
    { apiKey: 'k', model: 'm', temperature: 0, maxTokens: 1, baseUrl: `${url}/v1` },
    AbortSignal.timeout(4 * ms),
  )
const kind = (outcomes: Outcome[]) => String(outcomes[0]?.kind)

/** Each asks the service at the address, waits `ms` for it, and returns a word. */
const CALLS: Record<CallName, (baseUrl: string, ms: number) => Promise<string | null>> = {
  'the PMS': async (baseUrl, ms) => {
    const signal = AbortSignal.timeout(4 * ms)
    await fetchReservations({ baseUrl, apiKey: 'k', timeoutMs: ms, signal, retryDelaysMs: [] }, query).next()
    return 'answered'
  },
  'the language model': async (url, ms) => (await model(url, ms)(params)).content,
  'the language model, in pieces': async (url, ms) => (await model(url, ms)(params, () => {})).content,
  'Twilio, one message': async (baseUrl, ms) => {
    const account = { accountSid: 'AC1', authToken: 't', from: '+34900000001', statusCallback: null }
    return kind(await twilioProvider({ ...account, baseUrl, timeoutMs: ms }).send([message]))
  },
  'Resend, one message': async (baseUrl, ms) => {
    const account = { apiKey: 'k', fromEmail: 'a@b.example', fromName: null }
    return kind(await resendProvider({ ...account, baseUrl, timeoutMs: ms }).send([mail]))
  },
}

weighAnswers(({ name, url, ms }: { name: CallName; url: string; ms: number }) =>
  CALLS[name](url, ms).catch((error: Error) => `failed: ${error.name}`),
)
