import 'server-only'
import bidiFactory from 'bidi-js'
import type PDFDocument from 'pdfkit'
import type { PaperFonts, Weight, Written } from './fonts'
import { isTurned, TURN } from './paper-text'

const bidi = bidiFactory()
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

type Doc = InstanceType<typeof PDFDocument>

/** A text in one weight; several make a paragraph. */
export interface Span {
  text: string
  weight: Weight
}

/** Clusters of one font and direction, in the order in which they are read. */
interface Run {
  font: string
  level: number
  clusters: string[]
}

/** A line, with its runs from left to right. */
interface Line {
  runs: Run[]
  width: number
  /** Whether a font beside the built-in ones writes part of it. */
  foreign: boolean
}

const isBuiltIn = (font: string) => font.startsWith('Helvetica')
const textOf = (written: readonly Written[]) => written.map(({ cluster }) => cluster).join('')

/** Joins what is written by one font at one level. */
function runsOf(written: readonly Written[], levels: Uint8Array): Run[] {
  const runs: Run[] = []
  let at = 0
  for (const { cluster, font } of written) {
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.clusters.push(cluster)
    else runs.push({ font, level, clusters: [cluster] })
    at += cluster.length
  }
  return runs
}

/** Turns the runs of a line round as Unicode's rule L2 says: from the highest level to the lowest odd one. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const order = [...runs]
  for (let level = Math.max(0, ...order.map((run) => run.level)); level > 0; level--)
    for (let from = 0; from < order.length; from++) {
      let until = from
      while (until < order.length && (order[until]?.level ?? 0) >= level) until++
      if (until > from) order.splice(from, until - from, ...order.slice(from, until).reverse())
      from = until
    }
  return order
}

/** What a run gives to its font. Fonts of right-to-left scripts turn their own letters; signs of others are turned here. */
function drawn({ clusters: all, level }: Run): string {
  const clusters = all.filter((cluster) => cluster !== TURN)
  if (level % 2 === 0) return clusters.join('')
  const mirrored = clusters.map((cluster) => bidi.getMirroredCharacter(cluster) ?? cluster)
  return isTurned(clusters.join('')) ? mirrored.join('') : mirrored.reverse().join('')
}

// With features, even none, pdfkit shapes a text as a whole, not word by word.
const shaping = (font: string) => (isBuiltIn(font) ? {} : { features: [] })

/** The widths of a document's runs at size 100: shaping takes time, and each is asked for several times. */
const widths = new WeakMap<Doc, Map<string, number>>()

function widthOf(doc: Doc, run: Run, size: number): number {
  const known = widths.get(doc) ?? new Map<string, number>()
  widths.set(doc, known)
  const text = drawn(run)
  const key = `${run.font} ${text}`
  const width = known.get(key) ?? doc.font(run.font, 100).widthOfString(text, shaping(run.font))
  known.set(key, width)
  return (width * size) / 100
}

function lineOf(doc: Doc, written: readonly Written[], base: 'ltr' | 'rtl', size: number): Line {
  const text = textOf(written)
  const foreign = written.some(({ font }) => !isBuiltIn(font))
  const levels = foreign ? bidi.getEmbeddingLevels(text, base).levels : new Uint8Array(text.length)
  const runs = inVisualOrder(runsOf(written, levels))
  const width = runs.reduce((sum, run) => sum + widthOf(doc, run, size), 0)
  return { runs, width, foreign }
}

/** The direction of a text by its first letter that has one. */
const directionOf = (text: string): 'ltr' | 'rtl' =>
  (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

/** Where a paragraph may be broken: after words and their punctuation; in scripts without spaces by a dictionary. */
function partsOf(written: readonly Written[]): Written[][] {
  const ends = new Set<number>()
  for (const { index, segment, isWordLike } of words.segment(textOf(written))) {
    if (!isWordLike && segment.trim() !== '' && !/^[([{¿¡«“‘]/.test(segment)) ends.delete(index)
    ends.add(index + segment.length)
  }
  const parts: Written[][] = []
  let at = 0
  let part: Written[] = []
  for (const one of written) {
    part.push(one)
    at += one.cluster.length
    if (!ends.has(at)) continue
    parts.push(part)
    part = []
  }
  return part.length > 0 ? [...parts, part] : parts
}

const withoutEnd = (written: readonly Written[]) =>
  written.slice(0, written.findLastIndex(({ cluster }) => cluster.trim() !== '') + 1)

interface Place {
  size: number
  left: number
  width: number
  bottom: number
  /** Whether the text has the direction of its first letter; else it reads as the document does. */
  own?: boolean
}

/** A paragraph in lines of a width. */
function brokenUp(
  doc: Doc,
  written: readonly Written[],
  { size, width, own }: Pick<Place, 'size' | 'width' | 'own'>,
): Line[] {
  const base = own ? directionOf(textOf(written)) : 'ltr'
  const measure = (of: readonly Written[]) => lineOf(doc, of, base, size)
  const lines: Written[][] = []
  let line: Written[] = []
  let used = 0
  /** Puts a part behind the others of the line, or on the next. */
  function add(part: readonly Written[]) {
    const needed = measure(withoutEnd(part)).width
    if (line.length > 0 && used + needed > width) {
      lines.push(line)
      line = []
      used = 0
    }
    line.push(...part)
    used += measure(part).width
  }
  // A word longer than a line is cut.
  for (const part of partsOf(written))
    if (measure(withoutEnd(part)).width > width) for (const one of part) add([one])
    else add(part)
  return [...lines, line].map((each) => measure(withoutEnd(each)))
}

/** The height of a line: marks above and below need room that the Latin alphabet does not. */
const heightOf = ({ foreign }: Line, size: number) => size * (foreign ? 1.45 : 1.16)

function draw(doc: Doc, line: Line, left: number, top: number, size: number): void {
  const baseline = top + size * (line.foreign ? 1 : 0.78)
  let x = left
  for (const run of line.runs) {
    doc.font(run.font, size).text(drawn(run), x, baseline, {
      ...{ lineBreak: false, baseline: 'alphabetic', ...shaping(run.font) },
    })
    x += widthOf(doc, run, size)
  }
}

/** Writes a paragraph of spans below what there is, over pages, and moves on. */
export function paragraph(
  doc: Doc,
  fonts: PaperFonts,
  spans: readonly Span[],
  { left, bottom, ...place }: Place,
): void {
  const { size } = place
  const written = spans.flatMap(({ text, weight }) => fonts.write(text, weight))
  const paragraphs: Written[][] = [[]]
  for (const one of written)
    if (one.cluster === '\n') paragraphs.push([])
    else paragraphs.at(-1)?.push(one)
  for (const line of paragraphs.flatMap((each) => brokenUp(doc, each, place))) {
    const height = heightOf(line, size)
    if (doc.y + height > bottom) doc.addPage()
    const top = doc.y
    draw(doc, line, left, top, size)
    doc.y = top + height
  }
  doc.x = left
}

/** Writes one line at a place, cut with an ellipsis where it is too long. */
export function oneLine(
  doc: Doc,
  fonts: PaperFonts,
  span: Span,
  {
    size,
    left,
    top,
    width,
    align = 'left',
  }: { size: number; left: number; top: number; width: number; align?: 'left' | 'right' },
): void {
  const written = fonts.write(span.text.replace(/\s+/g, ' '), span.weight)
  const base = directionOf(textOf(written))
  let line = lineOf(doc, written, base, size)
  for (let kept = written.length - 1; kept > 0 && line.width > width; kept--) {
    const end = fonts.write('…', span.weight)
    line = lineOf(doc, [...withoutEnd(written.slice(0, kept)), ...end], base, size)
  }
  draw(doc, line, align === 'right' ? left + width - line.width : left, top, size)
}
