import 'server-only'
import PDFDocument from 'pdfkit'
import { type PaperFonts, paperFonts, type Weight } from '@/lib/paper/fonts'
import { oneLine, paragraph, type Span } from '@/lib/paper/typeset'
import type { DocumentTable, MorningDocument } from './document'

const MARGIN = 36
const [BLACK, GREY, LINE] = ['#000000', '#555555', '#999999']
const NAME_WIDTH = 130

type Doc = InstanceType<typeof PDFDocument>
/** What is written on, and the fonts that can write its texts. */
interface Paper {
  doc: Doc
  fonts: PaperFonts
}

/** The morning on A4, landscape: a heading and a number on every page. */
export async function morningPdfFile(content: MorningDocument): Promise<Buffer> {
  const title = `${content.title}, ${content.date}`
  const doc = new PDFDocument({
    ...{ size: 'A4', layout: 'landscape', margin: MARGIN, bufferPages: true, font: 'Helvetica' },
    info: { Title: title, Creator: 'Sobremesa' },
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const paper = { doc, fonts: await paperFonts(doc, textsIn(content)) }
  write(paper, [{ text: content.title, weight: 'bold' }], { size: 16 })
  write(paper, [{ text: content.date, weight: 'regular' }], { size: 11, color: GREY })
  if (content.noLocations) {
    doc.moveDown()
    write(paper, [{ text: content.noLocations, weight: 'regular' }], { size: 10 })
  } else {
    table(paper, content.yesterday)
    small(paper, content.included)
    heading(paper, content.notes.title)
    for (const { by, text } of content.notes.entries) {
      write(paper, [{ text, weight: 'regular' }], { own: true })
      small(paper, by)
    }
    if (content.notes.entries.length === 0) small(paper, content.notes.none)
    heading(paper, content.guests.title)
    for (const { time, who, alarm, why } of content.guests.entries) {
      const spans: Span[] = [
        { text: `${[`${time}  ${who}`, alarm].filter(Boolean).join('  ')}  `, weight: 'bold' },
      ]
      write(paper, [...spans, { text: why, weight: 'regular' }])
    }
    small(paper, content.guests.entries.length === 0 ? content.guests.none : content.guests.more)
    if (content.closings.entries.length > 0) heading(paper, content.closings.title)
    for (const entry of content.closings.entries) write(paper, [{ text: entry, weight: 'regular' }])
    table(paper, content.ahead)
  }
  number(paper, `${content.title} · ${content.date}`)
  doc.end()
  return done
}

/** Every text in a document, whatever its place. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, value.replace(/\s+/g, ' ')]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const bottomOf = (doc: Doc) => doc.page.height - MARGIN
/** Starts a new page when the given height does not fit on this one. */
function reserve(doc: Doc, height: number): void {
  if (doc.y + height > bottomOf(doc)) doc.addPage()
}

function write(
  { doc, fonts }: Paper,
  spans: readonly Span[],
  { size = 9, color = BLACK, own }: { size?: number; color?: string; own?: boolean } = {},
): void {
  doc.fillColor(color)
  const width = doc.page.width - 2 * MARGIN
  paragraph(doc, fonts, spans, { size, left: MARGIN, width, bottom: bottomOf(doc), own })
}

function heading(paper: Paper, title: string): void {
  paper.doc.y += 9
  reserve(paper.doc, 40)
  write(paper, [{ text: title, weight: 'bold' }], { size: 11 })
  paper.doc.y += 2
}

function small(paper: Paper, text: string): void {
  if (text) write(paper, [{ text, weight: 'regular' }], { size: 7.5, color: GREY })
}

/** A table that repeats its head on every page. */
function table(paper: Paper, { title, legend, columns, rows }: DocumentTable): void {
  const { doc, fonts } = paper
  heading(paper, title)
  small(paper, legend)
  doc.y += 3
  const width = (doc.page.width - 2 * MARGIN - NAME_WIDTH) / (columns.length - 1)
  const cell = (text: string, weight: Weight, size: number, column: number, top: number) =>
    oneLine(
      doc,
      fonts,
      { text, weight },
      {
        ...{ size, top, left: column === 0 ? MARGIN : MARGIN + NAME_WIDTH + (column - 1) * width },
        width: (column === 0 ? NAME_WIDTH : width) - 4,
        align: column === 0 ? 'left' : 'right',
      },
    )
  const line = (y: number) =>
    doc
      .moveTo(MARGIN, y)
      .lineTo(doc.page.width - MARGIN, y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke()
  const head = () => {
    const { y } = doc
    doc.fillColor(GREY)
    columns.forEach((column, index) => {
      cell(column, 'bold', 8, index, y)
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
    doc.fillColor(BLACK)
    for (const [index, { value }] of [{ value: name }, ...cells].entries()) cell(value, 'bold', 9.5, index, y)
    doc.fillColor(GREY)
    for (const [index, { note: below }] of [{ note }, ...cells].entries())
      cell(below, 'regular', 7.5, index, y + 12)
    line(y + 23)
    doc.y = y + 26
  }
  doc.x = MARGIN
}

/** The title and `2 / 3` below every page. */
function number({ doc, fonts }: Paper, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // A text within the margin would start a new page.
    doc.page.margins.bottom = 0
    const place = { size: 7.5, top: doc.page.height - MARGIN + 10, left: MARGIN }
    const width = doc.page.width - 2 * MARGIN
    doc.fillColor(GREY)
    oneLine(doc, fonts, { text: title, weight: 'regular' }, { ...place, width })
    const of = `${page + 1} / ${count}`
    oneLine(doc, fonts, { text: of, weight: 'regular' }, { ...place, width, align: 'right' })
  }
}
