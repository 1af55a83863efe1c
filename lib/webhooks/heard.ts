import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { WEBHOOK_TYPES, type WebhookType } from '@/lib/integrations/types'
import { log } from '@/lib/log'

const MINUTE_MS = 60_000
// Keyed by provider and organization. The database keeps to a minute too; this saves the question.
const noted = new Map<string, number>()

/**
 * Remembers that a provider called: the organization that signed the call, or null when no signature was right. Writes
 * at most once a minute, keeps nothing of the call, and never fails it.
 */
export async function noteWebhook(provider: WebhookType, organizationId: string | null): Promise<void> {
  const key = `${provider} ${organizationId}`
  const now = Date.now()
  if (Math.abs(now - (noted.get(key) ?? 0)) < MINUTE_MS) return
  noted.set(key, now)
  try {
    const parameters = { p_provider: provider, p_organization: organizationId ?? undefined }
    unwrap(await serviceDb().rpc('note_webhook', parameters))
  } catch (err) {
    log().warn({ err, provider }, 'the time of a webhook was not stored')
  }
}

/** Times as ISO texts; null: not yet. */
interface WebhookHeard {
  /** The last call with a right signature. */
  heard_at: string | null
  /** The last call that was refused for its signature; anybody can cause it. */
  refused_at: string | null
}

const rows = z.array(
  z.object({
    provider: z.enum(WEBHOOK_TYPES),
    heard_at: z.string().nullable(),
    refused_at: z.string().nullable(),
  }),
)
const NEVER: WebhookHeard = { heard_at: null, refused_at: null }

/** When each provider's webhook was last heard; null for people who may not manage integrations. */
export async function webhooksHeard({
  db,
  can,
  organization,
}: Pick<Session, 'db' | 'can' | 'organization'>): Promise<Record<WebhookType, WebhookHeard> | null> {
  if (!can('canViewSettings')) return null
  const found = await db
    .from('webhook_calls')
    .select('provider, heard_at, refused_at')
    .eq('organization_id', organization.id)
    .in('provider', WEBHOOK_TYPES)
  const times = Object.fromEntries(rows.parse(unwrap(found)).map(({ provider, ...time }) => [provider, time]))
  return Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, times[type] ?? NEVER])) as Record<
    WebhookType,
    WebhookHeard
  >
}
