import { describe, expect, it } from 'vitest'
import { asksForNoMore } from '@/lib/replies/opt-out'
import lexicon from '@/lib/replies/opt-outs.json'
import { wishOf } from '@/lib/webhooks/wish'
import texts from '../support/opt-out-texts.json'
import { randomFrom } from '../support/reply-generator'

type Language = keyof typeof texts
const languages = Object.keys(texts) as Language[]

/** What a guest adds to an opt-out so that it is no longer one alone. */
const AND_A_TABLE: Record<Language, string> = {
  es: 'y reservad mesa para el viernes',
  ca: 'i reserveu-me taula per divendres',
  eu: 'eta gorde mahai bat ostiralerako',
  gl: 'e gardade mesa para o venres',
  en: 'and book me a table for Friday',
  fr: 'et réservez-moi une table vendredi',
  pt: 'e reservem mesa para sexta',
  it: 'e prenotatemi un tavolo per venerdì',
  de: 'und reserviert mir einen Tisch am Freitag',
}
const AS_A_REPORT: Record<Language, string> = {
  es: 'Mi madre os escribió ayer:',
  ca: 'La meva mare us va escriure ahir:',
  eu: 'Nire amak atzo idatzi zizuen:',
  gl: 'Miña nai escribiuvos onte:',
  en: 'My mother wrote to you yesterday:',
  fr: 'Ma mère vous a écrit hier :',
  pt: 'A minha mãe escreveu ontem:',
  it: 'Mia madre vi ha scritto ieri:',
  de: 'Meine Mutter hat gestern geschrieben:',
}

/** How people type: capitals, no accents, no marks, blanks, marks and emoji at the end. */
const HANDS: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll("'", '’'),
  (text) => `  ${text.replaceAll(' ', '  ')}\n`,
  (text) => `${text}!!!`,
  (text) => `${text} 😡🙏`,
  (text) => `*${text}*`,
]

const next = randomFrom(14)
const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T
const generated = Array.from({ length: 2000 }, (_, n) => {
  const language = pick(languages)
  const truth = n % 2 === 0 ? 'stop' : 'trap'
  return { truth, text: pick(HANDS)(pick(texts[language][truth])) }
})

describe('2,000 messages of guests in nine languages, half of them traps', () => {
  const taken = (truth: string, as: boolean) =>
    generated.filter((one) => one.truth === truth && asksForNoMore(one.text) === as).map(({ text }) => text)

  it('has many different ones', () => {
    expect(new Set(generated.map(({ text }) => text)).size).toBeGreaterThan(1500)
  })

  it('obeys every opt-out', () => expect(taken('stop', false)).toEqual([]))

  it('takes no other message for one', () => expect(taken('trap', true)).toEqual([]))
})

describe.each(languages)('in %s', (language) => {
  it('each opt-out is one, each trap is none', () => {
    expect(texts[language].stop.filter((text) => wishOf(text) !== 'stop')).toEqual([])
    expect(texts[language].trap.filter((text) => wishOf(text) === 'stop')).toEqual([])
  })

  it('an opt-out with a wish for a table, or of another person, is for staff to read', () => {
    const mixed = texts[language].stop.flatMap((text) => [
      `${text} ${AND_A_TABLE[language]}`,
      `${text}. ${AND_A_TABLE[language]}`,
      `${AS_A_REPORT[language]} ${text}`,
    ])
    expect(mixed.filter(asksForNoMore)).toEqual([])
  })
})

describe('an opt-out', () => {
  it.each([
    '',
    ' ',
    '🛑',
    '?',
    'ok',
    'hola',
    'gracias',
    'para',
    'basta',
    'baja 2',
    'S T O P',
    `baja${' '.repeat(400)}`,
  ])('%j is none', (text) => expect(asksForNoMore(text)).toBe(false))

  it.each(['STOOOOP', 'bajaaaa!!!', 'nooo me mandéis más mensaaaajes'])('%j is one', (text) =>
    expect(asksForNoMore(text)).toBe(true),
  )

  it('is looked for in a long text of words that begin many phrases', () => {
    const words = 'no quiero recibir mas '.repeat(13)
    expect([words, `${words} vino`, `${words} ya`].map(asksForNoMore)).toEqual([true, false, true])
  })

  it('is in the lexicon as messages are compared: folded, without apostrophes', () => {
    const patterns = [
      ...Object.values(lexicon.words).flatMap((words) => Object.values(words)),
      ...[lexicon.stop, lexicon.beside].flatMap((all) => Object.values(all).flat()),
      ...lexicon.before,
    ]
    expect(patterns.filter((pattern) => /[^a-z |()[\]{}]/.test(pattern))).toEqual([])
  })
})
