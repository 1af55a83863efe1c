import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { createTranslator } from 'next-intl'
import { describe, expect, test } from 'vitest'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'
import { texts } from '../support/texts/texts'

type Translate = (key: string, values: Record<string, number>) => string

// Zero also stands for a word that no select knows.
const VALUES = [0, 1, 2, 0.25, 1234.5]
const OPTIONS = {
  formats,
  timeZone: 'UTC',
  formatters: {
    getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
      new Intl.DateTimeFormat(...args),
    getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) =>
      new Intl.NumberFormat(...args),
    getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) =>
      new Intl.PluralRules(...args),
  },
}

// The build compiles the texts (next.config.ts), the other tests do not.
describe.each([
  { locale: 'es', messages: es },
  { locale: 'en', messages: en },
] as const)('the texts in $locale', ({ locale, messages }) => {
  const t = createTranslator({ locale, messages, formats, timeZone: 'UTC' }) as Translate
  const all = [...texts(messages)]

  test.each(VALUES)('say the same compiled, of %d', (value) => {
    const apart = all.flatMap(([key, text]) => {
      const values = Object.fromEntries([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => [name, value]))
      const said = format(compile(text), locale, values, OPTIONS)
      return said === t(key, values) ? [] : [[key, said, t(key, values)]]
    })
    expect(all.length).toBeGreaterThan(1000)
    expect(apart).toEqual([])
  })
})
