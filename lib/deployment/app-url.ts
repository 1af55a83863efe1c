import 'server-only'
import { env } from '@/lib/env'
import { INSTALLATION_HEADER, installationId } from '@/lib/health/installation-id'
import { outgoingFetch } from '@/lib/outgoing/fetch'
import { limit } from './limit'
import { type Line, right, wrong } from './lines'

const fetchPublic = outgoingFetch(64 * 1024)

/** Whether the app's public address is set, encrypted, and leads to this very installation. */
export async function appUrlLine(): Promise<Line> {
  const { PUBLIC_URL, ALLOW_LOOPBACK_UPSTREAMS } = env()
  const detail = PUBLIC_URL
  if (detail === '') return wrong('app_url', 'app_url_missing', { detail: 'APP_URL' })
  const isLocal = ALLOW_LOOPBACK_UPSTREAMS && /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(detail)
  if (!detail.startsWith('https:') && !isLocal) return wrong('app_url', 'app_url_http', { detail })
  try {
    const answer = await fetchPublic(`${detail}/api/health`, { signal: limit() })
    await answer.body?.cancel()
    return answer.headers.get(INSTALLATION_HEADER) === installationId()
      ? right('app_url', 'app_url_reached', { detail })
      : wrong('app_url', 'app_url_elsewhere', { detail })
  } catch {
    return wrong('app_url', 'app_url_unreachable', { detail })
  }
}
