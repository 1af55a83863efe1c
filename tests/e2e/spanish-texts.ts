import { globSync, readFileSync } from 'node:fs'
import compile from 'icu-minify/compile'
import { DEFINITIONS } from '../../scripts/demo/automations'
import { EXPECTED, GUEST_NOTES, TAGS } from '../../scripts/demo/guest-profile'
import { SHIFTS } from '../../scripts/demo/hours'
import { NOTES } from '../fakes/pms/people'
import { OCCASIONS, UNKNOWN_GUESTS } from '../fakes/pms/rows'
import { texts } from '../support/texts/texts'

// The marks of icu-minify's compiled texts (its dist/types/types.d.ts).
const COUNT = 0
const CHOICES = [1, 2, 3]
const NUMBER = 4
// "{shown} de {total}" says too little to tell it from what a person wrote.
const MIN_LETTERS = 4

interface Shape {
  /** Source of a regular expression. */
  source: string
  /** Letters that any filling of the text has of its own. */
  letters: number
}

// The demo's people chose some of the app's own words.
const written = new Set([
  ...OCCASIONS,
  ...UNKNOWN_GUESTS,
  ...NOTES,
  ...GUEST_NOTES,
  ...EXPECTED.map(({ notes }) => notes),
  ...TAGS.map(([tag]) => tag),
  ...[...DEFINITIONS, ...SHIFTS].map(({ name }) => name),
])
const english = new Set(catalog('en'))
const spanish = catalog('es').filter((text) => !english.has(text))
const fixed = new Set(spanish.filter((text) => !/[{<]/.test(text)))
const filled = spanish
  .filter((text) => text.includes('{') && !text.includes('<'))
  .map((text) => sequence([compile(text)].flat()))
  .filter(({ letters }) => letters >= MIN_LETTERS)
  .map(({ source }) => new RegExp(`^${source}$`, 's'))

/**
 * Whether a text on a page is one of the app's own in Spanish, filled or as it stands.
 * What people wrote is none, even in the same words; texts with markup inside are not known.
 */
export function isSpanishText(text: string): boolean {
  // A page joins the notes of a reservation and of its guest with dots.
  if (text.split(' · ').every((part) => written.has(part))) return false
  return fixed.has(text) || filled.some((pattern) => pattern.test(text))
}

/** Every text of a language; read as files, because Playwright loads no JSON modules. */
function catalog(language: 'en' | 'es'): string[] {
  const files = globSync(`lib/i18n/${language}/**/*.json`)
  return files.flatMap((file) => [...texts(JSON.parse(readFileSync(file, 'utf8'))).values()])
}

function sequence(nodes: unknown[]): Shape {
  const shapes = nodes.map(shape)
  return {
    source: shapes.map(({ source }) => source).join(''),
    letters: shapes.reduce((sum, { letters }) => sum + letters, 0),
  }
}

function shape(node: unknown): Shape {
  if (node === COUNT) return { source: '[\\d.,]+', letters: 0 }
  if (typeof node === 'string')
    return {
      source: node.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
      letters: node.match(/\p{L}/gu)?.length ?? 0,
    }
  const [, kind, options] = node as [string, unknown, Record<string, unknown>]
  if (kind === NUMBER) return { source: '[\\d.,\\s%€−-]+', letters: 0 }
  if (!CHOICES.includes(kind as number)) return { source: '.+', letters: 0 }
  const choices = Object.values(options).map((choice) => sequence([choice].flat()))
  return {
    source: `(?:${choices.map(({ source }) => source).join('|')})`,
    letters: Math.min(...choices.map(({ letters }) => letters)),
  }
}
