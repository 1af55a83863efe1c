import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'
import { type FurtherLanguage, furtherTexts, type GuestTexts } from '@/lib/i18n/guests'
import { LOCALES, type Locale } from '@/lib/i18n/locales'
import { en } from '../../lib/i18n/en'
import { es } from '../../lib/i18n/es'
import { texts } from '../support/texts/texts'

const further = GUEST_LANGUAGES.filter(
  (each): each is FurtherLanguage => !(LOCALES as readonly string[]).includes(each),
)
const interfaceTexts = ({ guests, survey, unsubscribe, client }: typeof es): GuestTexts => {
  const { text: _, ...error } = client.error
  return { guests, survey, unsubscribe, error }
}
const [spanish, english] = [interfaceTexts(es), interfaceTexts(en)]

const NAMES = ['SMS', 'WhatsApp', 'e-mail', 'E-mail']
/** What close relatives of Spanish say in the same words. */
const SAME: Partial<Record<GuestLanguage, string[]>> = {
  gl: [
    'Demasiados intentos seguidos',
    'correos',
    'correo electrónico',
    'Correo electrónico',
    'Nada',
    'Nada de {brands}.',
  ],
  pt: ['Guardar', 'Guardado', 'Nada', 'Nada de {brands}.'],
}

/** The variables of a text and how it uses them: `{count, plural}` is another use than `{count}`. */
const uses = (text: string): string[] =>
  [
    ...new Set(
      [...text.matchAll(/\{(\w+)(?:, (\w+))?(?=[,}])/g)].map(([, name, how = '']) => `${name} ${how}`),
    ),
  ]
    .filter((each) => !/^(one|other|izar)/.test(each))
    .sort()

const SAMPLE = {
  ...{ organization: 'ORG', channel: 'CHANNEL', address: 'ADDRESS', channels: 'CHANNELS', brands: 'BRANDS' },
  ...{ location: 'LOCATION', name: 'NAME', score: 4 },
}

describe.each(further)('guests’ pages in %s', (language) => {
  it('say all that they say in Spanish, with the same variables', async () => {
    const [own, original] = [texts(await furtherTexts(language)), texts(spanish)]
    expect([...own.keys()].sort()).toEqual([...original.keys()].sort())
    const apart = [...original].filter(([key, text]) => uses(own.get(key) ?? '').join() !== uses(text).join())
    expect(apart.map(([key]) => key)).toEqual([])
  })

  it('have nothing left in Spanish or English', async () => {
    const others = [texts(spanish), texts(english)]
    const allowed = [...NAMES, ...(SAME[language] ?? [])]
    const left = [...texts(await furtherTexts(language))].filter(
      ([key, text]) => others.some((each) => each.get(key) === text) && !allowed.includes(text),
    )
    expect(left).toEqual([])
  })

  it('can be worded: each text with its variables, plurals with one and with several', async () => {
    const messages = await furtherTexts(language)
    const failed: unknown[] = []
    const t = createTranslator({
      ...{ locale: language as Locale, messages: messages as object },
      onError: (error) => failed.push(error),
    }) as unknown as (key: string, values: object) => string
    for (const [key, text] of texts(messages)) {
      const [one, five] = [1, 5].map((count) => t(key, { ...SAMPLE, count }))
      if (uses(text).includes('count plural'))
        expect([one, five]).toEqual([/1/, /5/].map((n) => expect.stringMatching(n)))
      else
        expect(one).toBe(
          text.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof SAMPLE) => String(SAMPLE[name])),
        )
    }
    expect(failed).toEqual([])
  })
})

it('the texts of problem pages are plain: the page puts them into HTML as they are', async () => {
  const all = [
    es.guests,
    en.guests,
    ...(await Promise.all(further.map(furtherTexts))).map(({ guests }) => guests),
  ]
  expect(
    all.flatMap((guests) => [...texts(guests).values()].filter((text) => /[<>&"'{}]/.test(text))),
  ).toEqual([])
})

it('French has no line break before its marks', async () => {
  const broken = [...texts(await furtherTexts('fr')).values()].filter((text) => / [?!:;]/.test(text))
  expect(broken).toEqual([])
})
