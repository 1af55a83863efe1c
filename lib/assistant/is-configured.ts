import 'server-only'
import type { Session } from '@/lib/auth/session'
import { readIntegrations } from '@/lib/integrations/read-integrations'

/** Whether the organization has a language model to ask; anyone may know that much of its settings. */
export async function isConfigured(session: Pick<Session, 'organization'>): Promise<boolean> {
  const integrations = await readIntegrations(session)
  return integrations.some(
    (each) => each.integration_type === 'ai' && each.is_enabled && each.config.api_key_set,
  )
}
