import 'server-only'
import { env } from '@/lib/env'
import type { Provider } from './provider'
import { shortCode } from './short-link'

/** Of previews and tests, which are no stored message: the link leads nowhere. */
const EXAMPLE = '0'.repeat(21)

const BY_LINK = 'Baja: '

/** The stored message, and its unsubscribe link, which stands in where the id has no short one. */
interface Sent {
  id: string
  url: string | null
}

/**
 * The last line of a marketing SMS, by which its guest opts out: an answer, where the sender can receive one, else a short
 * link. Null without either: then no marketing goes by SMS.
 * @param sent absent for a preview
 */
export function smsOptOut(provider: Provider | undefined, sent?: Sent): string | null {
  if (provider?.optOut) return provider.optOut
  const { PUBLIC_URL } = env()
  if (!PUBLIC_URL) return null
  const code = sent ? shortCode(sent.id) : EXAMPLE
  const link = code === null ? sent?.url : `${PUBLIC_URL}/b/${code}`
  return link ? `${BY_LINK}${link}` : null
}

const ANSWER = /\bBAJA al \+?\d|\b(?:responde|contesta|envía|escribe|manda)[^.\n]{0,20}\bBAJA\b/i

/** The text with the line at its end, unless it says already how to opt out, and that works. */
export function withOptOut(text: string, line: string | null, unsubscribeUrl: string | undefined): string {
  if (line === null) return text
  const isByAnswer = !line.startsWith(BY_LINK)
  const says = (isByAnswer && ANSWER.test(text)) || (unsubscribeUrl && text.includes(unsubscribeUrl))
  return says ? text : `${text.trimEnd()}\n${line}`
}
