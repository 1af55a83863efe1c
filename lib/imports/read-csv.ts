import Papa from 'papaparse'
import { decodeText } from '@/lib/csv/decode'
import { delimiterOf } from '@/lib/csv/delimiter'
import { type RawRecord, type RecordSplitter, recordSplitter } from '@/lib/csv/split-records'
import { type Columns, findColumns, MAX_COLUMNS, type Mapping } from './columns'
import { type ImportRow, parseRow } from './parse-row'

/** The most rows of a file that are imported. */
export const MAX_ROWS = 5000
const MAX_RECORD_BYTES = 64 * 1024
/** What is kept of failed rows for the download, in characters: of one cell, and altogether. */
const KEPT_CELL = 2000
const KEPT_TOTAL = 2_000_000

/** A line of the answer: the row (data rows count from 1, blank ones not at all) and what is wrong with it. */
export interface RowError {
  line: number
  message: string
}

/** What is in a file: rows to import, errors, and the rows with a problem as they were, each with its reason last. */
export interface ParsedFile {
  /** Every data row, those past the limit included. */
  total: number
  rows: ImportRow[]
  errors: RowError[]
  /** How many of the rows to import lack a value that could not be read. */
  incomplete: number
  failed: { columns: string[]; rows: string[][] }
}

/** Takes a file's bytes as they come. `end` answers what was in it, or why it is no file of customers. */
export interface CsvReader {
  push: (chunk: Uint8Array) => void
  end: () => ParsedFile | { problem: string }
}

const BROKEN = { quotes: 'a quote is not closed or not doubled', length: 'it is longer than 64 KB' }
const UTF8_MARK = [0xef, 0xbb, 0xbf]
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/**
 * Reads a CSV file of customers: semicolons (or the commas or tabs of its header), UTF-8 or Windows-1252, its
 * first row the header, whose columns `mapping` can name by hand. Only the first 5,000 rows are kept, as checked values; the others are counted.
 */
export function csvReader(now: Date, mapping?: Mapping): CsvReader {
  const today = now.toISOString().slice(0, 10)
  const file: ParsedFile = {
    total: 0,
    rows: [],
    errors: [],
    incomplete: 0,
    failed: { columns: [], rows: [] },
  }
  let head: Buffer = Buffer.alloc(0)
  let splitter: RecordSplitter | undefined
  let delimiter = ';'
  let columns: Columns | null = null
  let problem: string | undefined
  let kept = 0

  const cellsOf = ({ bytes }: RawRecord): string[] =>
    Papa.parse<string[]>(decodeText(bytes), { delimiter, newline: '\n' }).data[0] ?? []

  function readHeader(record: RawRecord): void {
    const header = cellsOf(record)
    columns = header.length > MAX_COLUMNS || record.broken ? null : findColumns(header, mapping)
    const missing = [...(mapping?.keys() ?? [])].some((name) => !header.some((one) => one.trim() === name))
    file.failed.columns = header.map((name) => name.slice(0, KEPT_CELL))
    if (!columns) problem = 'No known header: the first row must name an email or a phone column'
    else if (missing) problem = 'columns: the file has no column of that name'
  }

  function readRow(record: RawRecord, known: Columns): void {
    file.total++
    if (file.total > MAX_ROWS) return
    const cells = record.broken ? [decodeText(record.bytes)] : cellsOf(record)
    const { row, problem: wrong } = record.broken
      ? { row: null, problem: BROKEN[record.broken] }
      : parseRow(cells, known, file.failed.columns.length, file.total, today)
    if (row) file.rows.push(row)
    if (row && wrong) file.incomplete++
    if (wrong) keepFailed(cells, wrong)
  }

  function keepFailed(cells: string[], message: string): void {
    file.errors.push({ line: file.total, message })
    const width = file.failed.columns.length
    const row = Array.from({ length: width }, (_, index) => (cells[index] ?? '').slice(0, KEPT_CELL))
    kept += row.join('').length + message.length
    if (kept <= KEPT_TOTAL) file.failed.rows.push([...row, message])
  }

  function start(): void {
    const marked = (mark: number[]) => mark.every((byte, index) => head[index] === byte)
    if (UTF16_MARKS.some(marked)) problem = 'The file is in UTF-16: save it as CSV in UTF-8'
    const body = marked(UTF8_MARK) ? head.subarray(UTF8_MARK.length) : head
    delimiter = delimiterOf(firstLine(body) ?? body.toString('latin1'))
    splitter = recordSplitter(delimiter.charCodeAt(0), MAX_RECORD_BYTES, (record) => {
      if (problem) return
      if (columns) readRow(record, columns)
      else readHeader(record)
    })
    splitter.push(body)
  }

  return {
    push: (chunk) => {
      if (problem) return
      if (splitter) return splitter.push(chunk)
      head = Buffer.concat([head, chunk])
      const lineEnd = chunk.includes(10) || chunk.includes(13)
      if ((lineEnd && firstLine(head) !== null) || head.length > MAX_RECORD_BYTES) start()
    },
    end: () => {
      if (!splitter) start()
      splitter?.end()
      if (!problem && !columns) problem = 'The file is empty'
      if (problem) return { problem }
      const beyond = file.total - MAX_ROWS
      if (beyond > 0) {
        const message = `only the first 5,000 rows are processed; ${beyond.toLocaleString('en')} more were not`
        file.errors.push({ line: MAX_ROWS + 1, message })
      }
      return file
    },
  }
}

/** The first line that is not blank, once it has ended; null before. */
function firstLine(bytes: Buffer): string | null {
  const ended = bytes
    .toString('latin1')
    .split(/[\r\n]/)
    .slice(0, -1)
  return ended.find((line) => /[^\s;,"]/.test(line)) ?? null
}
