import { fold } from '@/lib/text/fold'
import lexicon from './opt-outs.json'
import { PhraseBook } from './phrase-book'

const MAX_LENGTH = 300
const CLAUSES = /[.,;:!?¡¿()"“”„«»…\n\r\u2028\u2029]|\s[-–—]+\s/u
const [STOP, BESIDE] = [1, 2]

let learned: { book: PhraseBook; before: ReadonlySet<string> } | undefined

/** Made with the first message. */
function lexiconBook() {
  if (learned) return learned
  const book = new PhraseBook()
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = lexicon.words
  for (const [meaning, patterns] of [
    [STOP, lexicon.stop],
    [BESIDE, lexicon.beside],
  ] as const)
    for (const [language, ofLanguage] of Object.entries(patterns))
      for (const pattern of ofLanguage) book.learn(pattern, meaning, words[language])
  learned = { book, before: new Set(lexicon.before) }
  return learned
}

/**
 * Whether a guest's message asks for no more messages, in es, ca, eu, gl, en, fr, pt, it or de. Phrases of the lexicon
 * have to cover it to the last word, one of them an opt-out; so negations, questions about how, reservations, numbers
 * and all that is said besides leave the message to a person.
 */
export function asksForNoMore(text: string): boolean {
  if (text.length > MAX_LENGTH || /\p{N}/u.test(text)) return false
  const { book, before } = lexiconBook()
  let asked = false
  for (const clause of text
    .normalize('NFC')
    .replace(/['’‘`´ʼ]/g, '')
    .split(CLAUSES)) {
    const words = fold(clause)
      .replace(/(\p{L})\1{2,}/gu, '$1')
      .split(/[^\p{L}\p{M}]+/u)
      .filter(Boolean)
    if (words.length === 0) continue
    // "No, gracias. Baja." is an opt-out, and "¿Baja? No, gracias" is none.
    if (!asked && before.has(words.join(' '))) continue
    const readings = book.readingsOf(words)
    if (readings.size === 0) return false
    // Words that can be read as an opt-out are one: "stop sms" needs no second reading.
    asked ||= [...readings].some((bits) => (bits & STOP) > 0)
  }
  return asked
}
