// The app's side: drains the outbox through a provider that answers at once, in a process of its own.
import { createClient } from '@supabase/supabase-js'
import type { Database } from '@/lib/db/database.types'
import { drain } from '@/lib/messaging/drain'
import type { Provider } from '@/lib/messaging/provider'
import { answerQuestions } from '../support/worker'

/** Drain for so long. */
export interface SendQuestion {
  url: string
  secretKey: string
  organizationId: string
  milliseconds: number
}

/** The ids of the messages that the provider was given, and in what time. */
export interface SendAnswer {
  sent: string[]
  milliseconds: number
}

answerQuestions(
  async ({ url, secretKey, organizationId, milliseconds }: SendQuestion): Promise<SendAnswer> => {
    const db = createClient<Database>(url, secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    })
    const sent: string[] = []
    const provider: Provider = {
      name: 'stub',
      send: async (batch) => {
        return batch.map(({ id }) => {
          sent.push(id)
          return { kind: 'accepted', providerId: `stub-${id}` }
        })
      },
    }
    const begin = performance.now()
    const signal = AbortSignal.timeout(milliseconds)
    const providers = { email: provider, sms: provider, whatsapp: provider }
    // Batches under way are finished after the signal: they count, and so does their time.
    await drain({ db, organizationId, now: () => new Date(), signal, providers })
    return { sent, milliseconds: performance.now() - begin }
  },
)
