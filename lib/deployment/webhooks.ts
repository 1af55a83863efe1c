import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { limit } from './limit'
import { type Line, right, unknown, wrong } from './lines'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PROVIDERS = ['twilio', 'resend'] as const

/** What the webhooks' lines need to know of a group. */
interface Known {
  now: Date
  /** The types of its integrations that are in use. */
  used: readonly string[]
  /** Whether the key with which Resend signs is stored; Twilio signs with the account's own. */
  signs: boolean
}

/**
 * When each provider in use called last, and whether its signature was right. A refused call may be anybody's: it counts
 * only where no good one came after it, and is a fault only where none came in the day before it either.
 */
export async function webhookLines(organizationId: string, { now, used, signs }: Known): Promise<Line[]> {
  const found = await serviceDb()
    .from('webhook_calls')
    .select('provider, heard_at, refused_at')
    .eq('organization_id', organizationId)
    .abortSignal(limit())
  const times = new Map((unwrap(found) ?? []).map((row) => [row.provider, row]))
  return PROVIDERS.filter((provider) => used.includes(provider)).map((provider) => {
    const { heard_at = null, refused_at = null } = times.get(provider) ?? {}
    return webhookLine(provider, { heard_at, refused_at, now, signs: provider === 'twilio' || signs })
  })
}

interface Heard {
  heard_at: string | null
  refused_at: string | null
  now: Date
  signs: boolean
}

function webhookLine(
  provider: (typeof PROVIDERS)[number],
  { heard_at, refused_at, now, signs }: Heard,
): Line {
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
