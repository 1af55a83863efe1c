import 'server-only'
import PDFDocument from 'pdfkit'
import type { DocumentTable, MorningDocument } from './document'

const MARGIN = 36
const REGULAR = 'Helvetica'
const BOLD = 'Helvetica-Bold'
const [BLACK, GREY, LINE] = ['#000000', '#555555', '#999999']
const NAME_WIDTH = 130

/** Letters that are not a base letter with an accent. */
const PLAIN: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  '−': '-',
  '\u202f': ' ',
  '\u2009': ' ',
}
// The characters of the fonts that every PDF reader has: Windows-1252.
const WRITABLE = /[\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u

/** Replaces characters that a PDF's fonts lack: by the letter without its accent, else by a question mark. */
export function paperText(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (WRITABLE.test(letter)) return letter
      const plain = PLAIN[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
      return plain !== '' && WRITABLE.test(plain)
        ? plain
        : plain === '' || /\p{Cc}|\p{Cf}/u.test(plain)
          ? ''
          : '?'
    })
    .join('')
}

/** The morning on A4, landscape: a heading and a number on every page. */
export function morningPdfFile(content: MorningDocument): Promise<Buffer> {
  const doc = new PDFDocument({
    ...{ size: 'A4', layout: 'landscape', margin: MARGIN, bufferPages: true, font: REGULAR },
    info: { Title: paperText(`${content.title}, ${content.date}`), Creator: 'Sobremesa' },
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  doc.font(BOLD, 16).fillColor(BLACK).text(paperText(content.title), { continued: true })
  doc
    .font(REGULAR, 11)
    .fillColor(GREY)
    .text(`   ${paperText(content.date)}`)
  if (content.noLocations)
    doc.moveDown().font(REGULAR, 10).fillColor(BLACK).text(paperText(content.noLocations))
  else {
    table(doc, content.yesterday)
    small(doc, content.included)
    heading(doc, content.notes.title)
    for (const { by, text } of content.notes.entries) {
      doc.font(REGULAR, 9).fillColor(BLACK).text(paperText(text))
      small(doc, by)
    }
    if (content.notes.entries.length === 0) small(doc, content.notes.none)
    heading(doc, content.guests.title)
    for (const { time, who, why } of content.guests.entries) {
      doc
        .font(BOLD, 9)
        .fillColor(BLACK)
        .text(paperText(`${time}  ${who}  `), { continued: true })
      doc.font(REGULAR, 9).text(paperText(why))
    }
    small(doc, content.guests.entries.length === 0 ? content.guests.none : content.guests.more)
    if (content.closings.entries.length > 0) heading(doc, content.closings.title)
    for (const entry of content.closings.entries) doc.font(REGULAR, 9).fillColor(BLACK).text(paperText(entry))
    table(doc, content.ahead)
  }
  number(doc, paperText(`${content.title} · ${content.date}`))
  doc.end()
  return done
}

type Doc = InstanceType<typeof PDFDocument>

const bottomOf = (doc: Doc) => doc.page.height - MARGIN
/** Starts a new page when the given height does not fit on this one. */
function reserve(doc: Doc, height: number): void {
  if (doc.y + height > bottomOf(doc)) doc.addPage()
}

function heading(doc: Doc, title: string): void {
  doc.moveDown(0.8)
  reserve(doc, 40)
  doc.font(BOLD, 11).fillColor(BLACK).text(paperText(title), MARGIN)
  doc.moveDown(0.2)
}

function small(doc: Doc, text: string): void {
  if (text) doc.font(REGULAR, 7.5).fillColor(GREY).text(paperText(text), MARGIN)
}

/** A table that repeats its head on every page. */
function table(doc: Doc, { title, legend, columns, rows }: DocumentTable): void {
  heading(doc, title)
  small(doc, legend)
  doc.moveDown(0.3)
  const width = (doc.page.width - 2 * MARGIN - NAME_WIDTH) / (columns.length - 1)
  const left = (column: number) => (column === 0 ? MARGIN : MARGIN + NAME_WIDTH + (column - 1) * width)
  const write = (text: string, column: number, y: number) =>
    doc.text(paperText(text), left(column), y, {
      ...{ width: (column === 0 ? NAME_WIDTH : width) - 4, height: 11, ellipsis: true, lineBreak: false },
      align: column === 0 ? 'left' : 'right',
    })
  const line = (y: number) =>
    doc
      .moveTo(MARGIN, y)
      .lineTo(doc.page.width - MARGIN, y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke()
  const head = () => {
    const { y } = doc
    doc.font(BOLD, 8).fillColor(GREY)
    columns.forEach((column, index) => {
      write(column, index, y)
    })
    line(y + 12)
    doc.y = y + 15
  }
  reserve(doc, 45)
  head()
  for (const { name, note, cells } of rows) {
    if (doc.y + 28 > bottomOf(doc)) {
      doc.addPage()
      head()
    }
    const { y } = doc
    doc.font(BOLD, 9.5).fillColor(BLACK)
    for (const [index, { value }] of [{ value: name }, ...cells].entries()) write(value, index, y)
    doc.font(REGULAR, 7.5).fillColor(GREY)
    for (const [index, { note: below }] of [{ note }, ...cells].entries()) write(below, index, y + 12)
    line(y + 23)
    doc.y = y + 26
  }
  doc.x = MARGIN
}

/** The title and `2 / 3` below every page. */
function number(doc: Doc, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // A text within the margin would start a new page.
    doc.page.margins.bottom = 0
    const at = doc.page.height - MARGIN + 10
    const width = doc.page.width - 2 * MARGIN
    doc.font(REGULAR, 7.5).fillColor(GREY)
    doc.text(title, MARGIN, at, { width, lineBreak: false })
    doc.text(`${page + 1} / ${count}`, MARGIN, at, { width, align: 'right', lineBreak: false })
  }
}
