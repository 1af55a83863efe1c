import 'server-only'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { invalidInput } from '@/lib/http/errors'
import type { InputProblem } from '@/lib/http/issues'
import { PUBLISHED_PASSWORDS } from './published-passwords'

// On zxcvbn's scale from 0 to 4; 3 means more than a hundred million guesses.
const STRONG = 3
// The time of the estimate grows faster than the length: 32 characters take 0.2 s at most, and are enough to find
// weaknesses.
const MAX_ESTIMATED_LENGTH = 32
const MAX_SUBSTITUTIONS = 10
const PRODUCT = 'sobremesa'
const PUBLISHED = new Set(PUBLISHED_PASSWORDS.map(lettersOf))

/** The problem of a password that is easy to guess, or too weak for Auth. */
export const WEAK_PASSWORD: InputProblem = { path: 'password', code: 'weak_password', message: 'too weak' }

let loading: Promise<ZxcvbnFactory> | undefined

// Loaded on first use: the word lists are some megabytes, and only new passwords need them.
async function estimator(): Promise<ZxcvbnFactory> {
  const [common, spanish, english] = await Promise.all([
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-es-es'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    maxLength: MAX_ESTIMATED_LENGTH,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
    dictionary: {
      ...common.dictionary,
      ...spanish.dictionary,
      ...english.dictionary,
      published: PUBLISHED_PASSWORDS.map(plain),
    },
    graphs: unwrapped(common.adjacencyGraphs),
  })
}

// Node loads the package's CommonJS build, which has the graphs one level deeper.
function unwrapped<T extends object>(module: T): T {
  return 'default' in module ? (module.default as T) : module
}

/**
 * Whether a new password is easy to guess: among the common and breached ones, made of Spanish or English words, names,
 * dates or neighbouring keys, of data about the person, or of a password that stands in this repository, whatever its
 * digits and signs.
 * @param about e-mail, name, organization
 */
export async function isGuessable(
  password: string,
  about: readonly (string | null | undefined)[],
): Promise<boolean> {
  if (PUBLISHED.has(lettersOf(password))) return true
  loading ??= estimator()
  const zxcvbn = await loading
  return zxcvbn.check(plain(password), [PRODUCT, ...about.flatMap(wordsOf)]).score < STRONG
}

/** @throws HttpError 400 `password: too weak`. */
export async function refuseGuessable(...parameters: Parameters<typeof isGuessable>): Promise<void> {
  if (await isGuessable(...parameters)) throw invalidInput(WEAK_PASSWORD)
}

/** The parts of an e-mail or a name, each pair of neighbours, and the whole. */
function wordsOf(text: string | null | undefined): string[] {
  const whole = plain(text ?? '')
  const words = whole.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const pairs = words.slice(1).map((word, n) => `${words[n]}${word}`)
  return [whole, words.join(''), ...words, ...pairs].filter((word) => word !== '').slice(0, 40)
}

/** Lower case without accents: `Peña` is guessed with `pena`. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The letters alone: who knows a password tries it with other digits and signs. */
function lettersOf(text: string): string {
  return plain(text).replace(/\P{L}/gu, '')
}
