import type { getTranslations } from 'next-intl/server'
import type { Line } from './lines'

/** A line in words: what it is about, what was found, and what to do where something is wrong (else null). */
export interface Words {
  title: string
  found: string
  todo: string | null
}

/** @param reasons the words for failed tests of a provider */
export function wordsOf(
  line: Line,
  t: Awaited<ReturnType<typeof getTranslations<'installation'>>>,
  reasons: Awaited<ReturnType<typeof getTranslations<'client.integrations.test.reasons'>>>,
): Words {
  const { detail = '', count = 0, group } = line
  const values = { detail, count }
  const name = t(`lines.${line.id}`)
  const title = group === undefined ? name : `${name} · ${group}`
  const found = t(`found.${line.finding}`, values)
  if (line.state === 'right') return { title, found, todo: null }
  if (line.finding !== 'provider_fails') return { title, found, todo: t(`todo.${line.finding}`, values) }
  const { reason = 'unreachable', type = 'pms' } = line
  return { title, found, todo: reasons(reason, { type }) }
}
