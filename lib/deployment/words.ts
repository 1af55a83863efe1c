import type { getTranslations } from 'next-intl/server'
import { serviceWords } from '@/lib/integrations/service-words'
import type { Line } from './lines'

/** A line in words: what it is about, what was found, and what to do where something is wrong (else null). */
export interface Words {
  title: string
  found: string
  todo: string | null
}

export function wordsOf(
  line: Line,
  t: Awaited<ReturnType<typeof getTranslations<'installation'>>>,
  services: Awaited<ReturnType<typeof getTranslations<'client.integrations'>>>,
): Words {
  const { detail = '', count = 0, group } = line
  const values = { detail, count }
  const name = t(`lines.${line.id}`)
  const title = group === undefined ? name : `${name} · ${group}`
  const found = t(`found.${line.finding}`, values)
  if (line.state === 'right') return { title, found, todo: null }
  if (line.finding !== 'provider_fails') return { title, found, todo: t(`todo.${line.finding}`, values) }
  const { reason = 'unreachable', type = 'pms' } = line
  const words = serviceWords(type, services(`names.${type}`))
  return { title, found, todo: services(`test.reasons.${reason}`, words) }
}
