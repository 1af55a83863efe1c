import PDFDocument from 'pdfkit'
import { expect, it } from 'vitest'
import { paperFonts } from '@/lib/paper/fonts'
import { paperText, turned } from '@/lib/paper/paper-text'
import { oneLine, paragraph } from '@/lib/paper/typeset'
import { pdfPages } from '../support/pdf-text'

const WIDTH = 400

/** A PDF with these texts, each a paragraph. */
function paperWith(
  texts: readonly string[],
  options: { own?: boolean; single?: boolean } = {},
): Promise<Buffer> {
  const doc = new PDFDocument({ size: [WIDTH + 40, 800], margin: 20 })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
  })
  return paperFonts(doc, texts).then((fonts) => {
    for (const text of texts) {
      const place = { size: 10, left: 20, width: WIDTH }
      if (options.single) oneLine(doc, fonts, { text, weight: 'bold' }, { ...place, top: doc.y })
      else
        paragraph(doc, fonts, [{ text, weight: 'regular' }], {
          ...place,
          bottom: 780,
          own: options.own ?? false,
        })
    }
    doc.end()
    return done
  })
}
const linesOf = async (file: Promise<Buffer>) => pdfPages(await file).flatMap((page) => page.split('\n'))

const NAMES = {
  'Chinese, simplified': '王小明',
  'Chinese, traditional': '陳鴻鈞',
  Japanese: '山田さくら',
  Korean: '김철수',
  Arabic: 'محمد خطر',
  Persian: 'پژمان',
  Hebrew: 'דוד',
  Cyrillic: 'Ђорђе',
  Greek: 'Γιώργος',
  Thai: 'สมชาย',
  Devanagari: 'राजेश',
  Vietnamese: 'Nguyễn',
  Polish: 'Łęcka',
  Georgian: 'გიორგი',
  Armenian: 'Հայկ',
  Bengali: 'বাংলা',
  Ethiopic: 'አበበ',
  emoji: '😀',
}

it.each(Object.entries(NAMES))('a name in %s is written, embedded and copied as it is', async (_, name) => {
  const file = await paperWith([`Ana ${name} 4`])
  const words = (await linesOf(Promise.resolve(file))).join('').split(/\s+/)
  expect(words.toSorted()).toEqual(['Ana', ...name.split(' '), '4'].toSorted())
  expect(file.toString('latin1')).toMatch(/\/FontFile2 \d+ 0 R/)
  expect(file.length).toBeLessThan(60_000)
})

it('plain texts embed nothing', async () => {
  const file = await paperWith(['Muñoz “ø” 3.000 €'])
  expect(await linesOf(Promise.resolve(file))).toEqual([
    'Muñoz “ø” 3.000 \u0080'.replace('“', '\u0093').replace('”', '\u0094'),
  ])
  expect(file.toString('latin1')).not.toContain('/FontFile2')
})

it('Arabic reads from right to left, and what follows a name in a line stays behind it', async () => {
  // From left to right, as on the paper; each piece as it is read.
  expect(await linesOf(paperWith(['محمد (خطر) 12'], { own: true }))).toEqual(['12', ' (خطر) محمد'])
  expect(await linesOf(paperWith([`21:00 ${turned('محمد')} (4) · Sur`]))).toEqual(['21:00 محمد (4) · Sur'])
  expect(turned('Ana')).toBe('Ana')
})

it('breaks lines in scripts without spaces, and cuts a word that is longer than a line', async () => {
  const lines = await linesOf(paperWith(['この方は重度の小麦アレルギーです。'.repeat(6)]))
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.join('')).toBe('この方は重度の小麦アレルギーです。'.repeat(6))
  for (const line of lines) expect(line).not.toMatch(/^。/)
  const cut = await linesOf(paperWith(['x'.repeat(1900)]))
  expect(cut.length).toBeGreaterThan(10)
  expect(cut.join('')).toBe('x'.repeat(1900))
})

it('cuts one line with an ellipsis', async () => {
  const [line = ''] = await linesOf(paperWith(['Restaurante '.repeat(30)], { single: true }))
  expect(line).toMatch(/^Restaurante .*\u0085$/)
})

it('a text on paper keeps its letters and loses what controls them', () => {
  expect(paperText('Muñoz Łęcka “ø” 3.000\u202f€ −2')).toBe('Muñoz Łęcka “ø” 3.000 € -2')
  expect(paperText('a\u0000\u200b\u202eb\ud800')).toBe('ab')
  expect(paperText('e\u0301')).toBe('é')
})
