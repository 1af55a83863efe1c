import { fold } from '@/lib/text/fold'
import lexicon from './lexicon.json'
import { PhraseBook } from './phrase-book'

type Intent = 'confirm' | 'cancel'
/** The meaning of a guest's message; `courtesy`: only thanks or a greeting; null: staff have to read it. */
export interface Understood {
  intent: Intent | 'courtesy' | null
  /** The language of its words; null when they belong to both languages or none (`1`, 👍). */
  language: 'es' | 'en' | null
}

const MAX_LENGTH = 160
// Signs of an ambiguous message: questions, hesitation, quotes, struck-out words, sums, a wink, reports of the past.
const DOUBTFUL =
  /[?¿؟/\\+=<>"«»“”„~#%&@€$|^]|\.\.|…|;-?\)|[-–—]\d|\d[-–—]|\d[.,:]\d|(cancel|anul)[óé](?!\p{L})/iu
const HAPPY = /[:=]-?\)/g
const SAD = /[:=]-?\(/g
// Variation selectors, keycaps, joiners, skin tones, and invisible characters.
const UNSEEN = /[\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\p{Cf}]/gu
const CLAUSES = /[.,;:!¡()\n\r\u2028\u2029]|\s[-–—]+\s/u
const PIECES = /\p{Extended_Pictographic}|[\p{L}\p{M}\p{N}]+|[^\s*_]/gu

// The meanings of a clause, as bits. ALONE cancels unless another cancellation follows in the same clause:
// "no podemos" does, "no podemos cancelar" does not.
const [CONFIRM, CANCEL, REGRET, CHEER, ALONE] = [1, 2, 4, 8, 16]

type Words = Readonly<Record<'any' | 'es' | 'en', readonly string[]>>
const languages = { es: new Set<string>(), en: new Set<string>() }
// A phrase with two meanings is never understood.
const book = new PhraseBook()
learn(lexicon.confirm, CONFIRM)
learn(lexicon.cancel, CANCEL)
learn(lexicon.cancelAlone, ALONE)
learn(lexicon.courtesy, 0)
learn(lexicon.regret, REGRET)
learn(lexicon.cheer, CHEER)

function learn(words: Words, meaning: number): void {
  for (const language of ['any', 'es', 'en'] as const)
    for (const pattern of words[language]) {
      const parts = book.learn(pattern, meaning)
      if (language !== 'any') for (const part of parts) languages[language].add(part)
    }
}

/**
 * Returns a guest's answer to a confirmation. A message is understood only when phrases of the lexicon cover it to the
 * last word, with one intent and otherwise only courtesy.
 */
export function understandReply(text: string): Understood {
  const clauses = clausesOf(text)
  if (!clauses) return { intent: null, language: null }
  const language = languageOf(clauses.flat())
  const readings = clauses.map(readClause)
  // `2, no podemos ir` may be about two guests: with the digit that cancels no other cancelling words are allowed.
  const digits = clauses.filter((pieces) => pieces.some(isNumber))
  const cancels = readings.filter((bits) => bits !== null && (bits & CANCEL) > 0)
  const isClear = digits.length === 0 || (digits.length === 1 && cancels.length < 2)
  return { intent: isClear ? intentOf(readings) : null, language }
}

/**
 * Returns a guest's answer by a quick-reply button: its payload, else its words; null when they contradict each other.
 * @param payload the button's id in the template
 */
export function understandButton(payload: string, text: string): Understood {
  const id = fold(payload)
  const meant = (['confirm', 'cancel'] as const).find((intent) => lexicon.buttons[intent].includes(id))
  const read = understandReply(text)
  if (!meant || meant === read.intent) return read
  const isSilent = read.intent === 'courtesy' || text.trim() === '' || text.trim() === payload.trim()
  return { ...read, intent: isSilent ? meant : null }
}

/** The words and emoji of a message by clause; null when it cannot be a clear answer. */
function clausesOf(text: string): string[][] | null {
  if (text.length > MAX_LENGTH || DOUBTFUL.test(text.normalize('NFC').replace(HAPPY, ' '))) return null
  const smiled = text.replace(HAPPY, ' 🙂 ').replace(SAD, ' 🙁 ').replace(UNSEEN, '')
  // Only the offered digits: ² and ½ are not.
  if (/(?![0-9])\p{N}/u.test(smiled)) return null
  const clauses = smiled
    .normalize('NFKC')
    .replace(/['’`´]/g, '')
    .split(CLAUSES)
    .map((clause) => fold(clause).match(PIECES) ?? [])
    .filter((pieces) => pieces.length > 0)
  return clauses.map((pieces) => pieces.map((piece) => piece.replace(/(\p{L})\1{2,}/gu, '$1')))
}

const isNumber = (piece: string) => /\p{N}/u.test(piece)

/** The meaning of a clause; null when it cannot be read, or its readings differ. */
function readClause(pieces: string[]): number | null {
  if (pieces.some(isNumber)) return readDigit(pieces)
  const [bits, ...others] = book.readingsOf(pieces)
  if (bits === undefined || others.length > 0) return null
  if ((bits & ALONE) === 0) return bits
  return (bits & CANCEL) === 0 ? (bits & ~ALONE) | CANCEL : null
}

/** `1`, `2, gracias`, `1 confirmo`; not `2 personas`, `somos 2`, `a las 2`. */
function readDigit(pieces: string[]): number | null {
  const digit = pieces.find(isNumber)
  if (digit !== '1' && digit !== '2') return null
  const at = pieces.indexOf(digit)
  const isNamed = lexicon.digits[digit].includes(pieces[at + 1] ?? '')
  const rest = pieces.toSpliced(at, isNamed ? 2 : 1)
  const readings = book.readingsOf(rest)
  const isCourtesy = readings.size === 1 && (readings.has(0) || (digit === '2' && readings.has(REGRET)))
  if (!isCourtesy || rest.some(isNumber)) return null
  return digit === '1' ? CONFIRM : CANCEL
}

function intentOf(readings: readonly (number | null)[]): Understood['intent'] {
  if (readings.length === 0) return null
  let all = 0
  for (const bits of readings) {
    if (bits === null) return null
    all |= bits
  }
  if ((all & ~CHEER) === CONFIRM) return 'confirm'
  if ((all & ~REGRET) === CANCEL) return 'cancel'
  return all === 0 ? 'courtesy' : null
}

function languageOf(pieces: readonly string[]): Understood['language'] {
  const [es, en] = (['es', 'en'] as const).map((one) => {
    const other = languages[one === 'es' ? 'en' : 'es']
    return pieces.some((piece) => languages[one].has(piece) && !other.has(piece))
  })
  if (es === en) return null
  return es ? 'es' : 'en'
}
