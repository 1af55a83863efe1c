import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import {
  type IntegrationType,
  registrationOf,
  WEBHOOK_TYPES,
  type WebhookType,
} from '@/lib/integrations/types'
import { limit } from './limit'
import { type Line, right, unknown, wrong } from './lines'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** What the webhooks' lines need to know of a group. */
interface Known {
  now: Date
  /** Its integrations that are in use, and the names of their stored secrets. */
  used: ReadonlyMap<IntegrationType, readonly string[]>
}

/**
 * When each provider in use called last, and whether its signature was right. A refused call may be anybody's: it counts
 * only where no good one came after it, and is a fault only where none came in the day before it either.
 */
export async function webhookLines(organizationId: string, { now, used }: Known): Promise<Line[]> {
  const found = await serviceDb()
    .from('webhook_calls')
    .select('provider, heard_at, refused_at')
    .eq('organization_id', organizationId)
    .abortSignal(limit())
  const times = new Map((unwrap(found) ?? []).map((row) => [row.provider, row]))
  return WEBHOOK_TYPES.filter((type) => used.has(type)).map((type) => {
    const { heard_at = null, refused_at = null } = times.get(type) ?? {}
    // Without a secret for its reports a provider signs with the account's own.
    const secret = registrationOf(type).webhook?.secret
    const signs = secret === undefined || used.get(type)?.includes(secret) === true
    return webhookLine(type, { heard_at, refused_at, now, signs })
  })
}

interface Heard {
  heard_at: string | null
  refused_at: string | null
  now: Date
  signs: boolean
}

function webhookLine(provider: WebhookType, { heard_at, refused_at, now, signs }: Heard): Line {
  const id = `${provider}_webhook` as const
  if (!signs) return wrong(id, 'webhook_secret_missing')
  const since = (at: string) => Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / MINUTE_MS))
  const detail = `${env().PUBLIC_URL}/api/webhooks/${provider}`
  const silentMs = refused_at ? Date.parse(refused_at) - (heard_at ? Date.parse(heard_at) : 0) : 0
  if (refused_at && silentMs > 0)
    return (silentMs > DAY_MS ? wrong : unknown)(id, 'webhook_refused', { detail, count: since(refused_at) })
  return heard_at
    ? right(id, 'webhook_heard', { count: since(heard_at) })
    : unknown(id, 'webhook_never', { detail })
}
