import { createTranslator } from 'next-intl'
import type { Line } from '@/lib/deployment/lines'
import { type Words, wordsOf } from '@/lib/deployment/words'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'

/** The line as the page and the terminal word it. */
export function lineInWords(line: Line, locale: 'es' | 'en'): Words {
  const messages = locale === 'es' ? es : en
  const t = createTranslator({ locale, namespace: 'installation', messages })
  const services = createTranslator({ locale, namespace: 'client.integrations', messages })
  return wordsOf(line, t as Parameters<typeof wordsOf>[1], services as Parameters<typeof wordsOf>[2])
}
