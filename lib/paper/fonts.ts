import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import fontverter from 'fontverter'
import type PDFDocument from 'pdfkit'
import subsetFont from 'subset-font'
import { log } from '@/lib/log'
import { isPlain, paperText, TURN } from './paper-text'

/** The fonts that every PDF reader has; they write Windows-1252. */
const BUILT_IN = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const
const WEIGHTS = { regular: 400, bold: 700 } as const
export type Weight = keyof typeof WEIGHTS

const NOTO = '@fontsource-variable/noto-sans'
/** Families with the parts of each that are used; all parts of the three that are cut into a hundred. */
const LETTERS: [folder: string, parts: string[]][] = [
  [
    NOTO,
    ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'devanagari'],
  ],
  // Its letters are single glyphs: what is copied has them all. Noto draws their points apart.
  ['@fontsource-variable/vazirmatn', ['arabic']],
  ...['hebrew', 'thai', 'armenian', 'georgian'].map((script): [string, string[]] => [
    `${NOTO}-${script}`,
    [script],
  ]),
]
// It has a sign for nearly every character there is, drawn on a coarse grid: better than none.
const LAST = 'node_modules/@fontsource/unifontex/files/unifontex-latin-400-normal.woff2'

/** A file of a font, and whether its package says that it has a character. */
interface Slice {
  file: string
  says: (codePoint: number) => boolean
}

const kept = <T>(read: (key: string) => Promise<T>) => {
  const found = new Map<string, Promise<T>>()
  return (key: string): Promise<T> => {
    const known = found.get(key) ?? read(key)
    found.set(key, known)
    // What could not be read is tried again the next time.
    known.catch(() => found.delete(key))
    return known
  }
}

/** The files of a family by the ranges that its package lists. */
const slicesOf = kept(async (folder: string): Promise<(Slice & { part: string })[]> => {
  const path = join('node_modules', folder)
  const name = folder.split('/')[1]
  const listed: Record<string, string> = JSON.parse(await readFile(join(path, 'unicode.json'), 'utf8'))
  return Object.entries(listed).map(([key, ranges]) => {
    const part = key.replace(/[[\]]/g, '')
    const spans = ranges.split(',').map((range) => {
      const [from = '', until = from] = range.replace('U+', '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(until, 16)] as const
    })
    const says = (point: number) => spans.some(([from, until]) => point >= from && point <= until)
    return { part, file: join(path, 'files', `${name}-${part}-wght-normal.woff2`), says }
  })
})

/** Unpacking it takes a fifth of a second, so it is kept. */
const unpacked = kept(async (file: string) => fontverter.convert(await readFile(file), 'truetype'))

/** The families for Han characters: one with kana is Japanese, one with Hangul Korean. */
const hanFamilies = (text: string): string[] => {
  const first = /[\p{scx=Hira}\p{scx=Kana}]/u.test(text)
    ? 'jp'
    : /\p{Script=Hangul}/u.test(text)
      ? 'kr'
      : 'sc'
  return [...new Set([first, 'sc', 'jp', 'kr'])].map((language) => `${NOTO}-${language}`)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const clustersOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment)

/** Zero-width joiners ask for a shape and have none themselves. */
const pointsOf = (cluster: string) =>
  [...cluster].filter((sign) => !/[\u200c\u200d]/.test(sign)).map((sign) => sign.codePointAt(0) ?? 0)

/** The files of a family, none where they cannot be read: another font, or a question mark, is better than no report. */
const readable = (folder: string) =>
  slicesOf(folder).catch((err: unknown) => {
    log().error({ err, folder }, 'a font of the report cannot be read')
    return []
  })

type Families = ReadonlyMap<string, Awaited<ReturnType<typeof slicesOf>>>

/** The families that these clusters may need. */
async function familiesFor(wanted: readonly Wanted[]): Promise<Families> {
  const folders = new Set([...LETTERS.map(([folder]) => folder), ...wanted.flatMap(({ han }) => han)])
  return new Map(
    await Promise.all([...folders].map(async (folder) => [folder, await readable(folder)] as const)),
  )
}

/** The files that may have a cluster, the best first: what a package says of its ranges is more than it has. */
function filesFor({ cluster, han }: Wanted, slices: Families): string[] {
  const [first = 0] = pointsOf(cluster)
  const families = [...LETTERS, ...han.map((folder): [string, null] => [folder, null])]
  const all = families.flatMap(([folder, parts]) =>
    (slices.get(folder) ?? []).filter(({ part, says }) => says(first) && (parts?.includes(part) ?? true)),
  )
  return [...all.map(({ file }) => file), LAST]
}

/** A cluster with the font that writes it in the document. */
export interface Written {
  cluster: string
  font: string
}
export interface PaperFonts {
  write: (text: string, weight: Weight) => Written[]
}

/** A cluster as a text has it: beside which Han characters, and whether its word has letters that Windows-1252 lacks. */
interface Wanted {
  cluster: string
  key: string
  han: readonly string[]
}

/** What the built-in fonts cannot write in a text. A word with one such letter of the Latin alphabet is wholly of one font. */
function* foreignIn(text: string): Generator<Wanted | string> {
  const han = hanFamilies(text)
  for (const word of text.split(/(\s+)/)) {
    const whole = [...word].some((sign) => /\p{scx=Latn}/u.test(sign) && !isPlain(sign))
    for (const cluster of clustersOf(word))
      if (cluster === TURN) yield cluster
      else if (isPlain(cluster)) yield whole ? { cluster, key: `whole ${cluster}`, han } : cluster
      else yield { cluster, key: `${han[0]} ${cluster}`, han }
  }
}

/** The signs that a part of a font really has, of a file. */
async function partOf(file: string, signs: string, wght: number) {
  const axes = { targetFormat: 'truetype', variationAxes: { wght } } as const
  // The last font has one weight and cannot be cut here: pdfkit takes from it what it needs.
  const part = file === LAST ? await unpacked(LAST) : await subsetFont(await readFile(file), signs, axes)
  return { part, font: create(part) as Font }
}

/** Finds for each cluster the first of its files that has it: {file: its clusters}. */
async function chooseFiles(wanted: ReadonlyMap<string, Wanted>): Promise<Map<string, string>> {
  const chosen = new Map<string, string>()
  const open = new Map<Wanted, string[]>()
  if (wanted.size === 0) return chosen
  const slices = await familiesFor([...wanted.values()])
  for (const each of wanted.values()) open.set(each, filesFor(each, slices))
  while (open.size > 0) {
    const tried = Map.groupBy(open, ([, [file]]) => file ?? '')
    for (const [file, tries] of tried) {
      const signs = tries.map(([{ cluster }]) => cluster).join('')
      const part = await partOf(file, signs, WEIGHTS.regular).catch((err: unknown) =>
        log().error({ err, file }, 'a font of the report cannot be read'),
      )
      for (const [each, [, ...others]] of tries) {
        const has = part && pointsOf(each.cluster).every((point) => part.font.hasGlyphForCodePoint(point))
        if (has) chosen.set(each.key, file)
        if (has || others.length === 0) open.delete(each)
        else open.set(each, others)
      }
    }
  }
  return chosen
}

/**
 * Adds to a document the fonts that these texts need beside the built-in ones, each with these characters alone: a few
 * kilobytes for a name. What no font can write becomes a question mark.
 */
export async function paperFonts(
  doc: InstanceType<typeof PDFDocument>,
  texts: readonly string[],
): Promise<PaperFonts> {
  const wanted = new Map<string, Wanted>()
  for (const text of new Set(texts.map(paperText)))
    if (!isPlain(text))
      for (const each of foreignIn(text)) if (typeof each !== 'string') wanted.set(each.key, each)
  const chosen = await chooseFiles(wanted)
  const signs = Map.groupBy(chosen, ([, file]) => file)
  for (const [file, keys] of signs)
    for (const [weight, wght] of Object.entries(WEIGHTS)) {
      const all = keys.map(([key]) => wanted.get(key)?.cluster ?? '').join('')
      doc.registerFont(`${file} ${weight}`, (await partOf(file, all, wght)).part)
    }
  // A text that was put together of others may have its Han characters from another language's font.
  const anyOf = new Map([...chosen].map(([key, file]) => [wanted.get(key)?.cluster ?? '', file]))
  return {
    write: (text, weight) =>
      [...foreignIn(paperText(text))].map((each) => {
        if (typeof each === 'string') return { cluster: each, font: BUILT_IN[weight] }
        const { key, cluster } = each
        const file = chosen.get(key) ?? (isPlain(cluster) ? undefined : anyOf.get(cluster))
        if (file) return { cluster, font: `${file} ${weight}` }
        return { cluster: isPlain(cluster) ? cluster : '?', font: BUILT_IN[weight] }
      }),
  }
}
