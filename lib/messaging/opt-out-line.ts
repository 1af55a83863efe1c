import 'server-only'
import { env } from '@/lib/env'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { OPT_OUT_WORDS } from './opt-out-words'
import type { Provider } from './provider'
import { shortCode } from './short-link'

/** Of previews and tests, which are no stored message: the link leads nowhere. */
const EXAMPLE = '0'.repeat(21)

/** The last line of a marketing SMS in a language; null: guests could not opt out. */
export type OptOutLine = (language: GuestLanguage) => string | null

/** The stored message, and its unsubscribe link, which stands in where the id has no short one. */
interface Sent {
  id: string
  url: string | null
}

/**
 * The last line of a marketing SMS, by which its guest opts out: an answer, where the sender can receive one, else a short
 * link. Null without either: then no marketing goes by SMS.
 * @param sent absent for a preview
 * @param language that of the message
 */
export function smsOptOut(
  provider: Provider | undefined,
  sent?: Sent,
  language: GuestLanguage = 'es',
): string | null {
  const words = OPT_OUT_WORDS[language]
  if (provider?.answers)
    return provider.answers === 'message' ? words.byAnswer : words.toNumber(provider.answers.number)
  const { PUBLIC_URL } = env()
  if (!PUBLIC_URL) return null
  const code = sent ? shortCode(sent.id) : EXAMPLE
  const link = code === null ? sent?.url : `${PUBLIC_URL}/b/${code}`
  return link ? `${words.beforeLink}${link}` : null
}

const WORD = '\\b(BAJA|BAIXA|STOP)\\b'
const VERB =
  'respond[ea]|respon\\b|contesta|env[ií]a|envie|escribe|escriu|manda|erantzun|bidali|reply|text\\b|send\\b|répond|envoy|rispondi|invia|antworte|sende|antwoord|stuur'
const ANSWERS = [
  /\b(BAJA) al \d/gi,
  new RegExp(`${WORD}(?: (?:al|ao|au|to|para|an|naar))? \\+\\d`, 'gi'),
  new RegExp(`\\b(?:${VERB})[^.\\n]{0,20}${WORD}`, 'gi'),
]

/** Whether a text says to answer with an opt-out. Many a sentence has a “stop”: that counts in capitals only. */
const asksForAnswer = (text: string): boolean =>
  ANSWERS.flatMap((each) => [...text.matchAll(each)]).some(
    ([, word = '']) => word === 'STOP' || !/^stop$/i.test(word),
  )

/** The text with the line at its end, unless it says already how to opt out, and that works. */
export function withOptOut(text: string, line: string | null, unsubscribeUrl: string | undefined): string {
  if (line === null) return text
  const isByAnswer = !Object.values(OPT_OUT_WORDS).some(({ beforeLink }) => line.startsWith(beforeLink))
  const says = (isByAnswer && asksForAnswer(text)) || (unsubscribeUrl && text.includes(unsubscribeUrl))
  return says ? text : `${text.trimEnd()}\n${line}`
}
