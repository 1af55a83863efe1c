import { share, whole } from './chance'
import type { Service } from './service-client'

const BATCH_ROWS = 1000
const SITE = 'https://alborada.example'
const LINKS = [`${SITE}/reservas`, `${SITE}/carta`, 'feedback', 'unsubscribe'] as const

interface SentEmail {
  id: string
  channel: string
  recipient: string | null
  status: string
  delivered_at: string | null
  dedupe_key: string
}

/** Who opened and clicked the delivered e-mails of the last months: persons, privacy proxies and security scanners. */
export async function seedEngagement(db: Service, messages: readonly SentEmail[]): Promise<void> {
  const rows = messages.flatMap((message) =>
    message.channel === 'email' && message.delivered_at ? engagementOf(message, message.delivered_at) : [],
  )
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await db
      .from('message_engagement')
      .insert(rows.slice(from, from + BATCH_ROWS))
      .throwOnError()
}

function engagementOf({ id, dedupe_key: key }: SentEmail, deliveredAt: string) {
  const at = (about: string, min: number, max: number) =>
    new Date(Date.parse(deliveredAt) + whole(key, about, min, max) * 1000).toISOString()
  const row = (kind: 'open' | 'click', link: string, actor: string, first_at: string) => ({
    ...{ message_id: id, kind, link, actor, first_at, times: 1 },
  })
  const seen = share(key, 'opened')
  // Half of the guests read with Apple Mail, whose proxy opens everything.
  const opens =
    share(key, 'apple') < 0.5
      ? [row('open', '', 'machine', at('prefetch', 2, 3600))]
      : seen < 0.45
        ? [row('open', '', seen < 0.1 ? 'unknown' : 'person', at('open', 60, 86_400))]
        : []
  const link = LINKS[whole(key, 'link', 0, 20) % 7] ?? LINKS[0]
  const clicks =
    share(key, 'clicked') < 0.13 ? [row('click', link, 'person', at('click', 90_000, 180_000))] : []
  const scans =
    share(key, 'scanned') < 0.04 ? LINKS.map((each) => row('click', each, 'machine', at('scan', 3, 20))) : []
  return [...opens, ...clicks, ...scans]
}
