import { delimiterOf } from '@/lib/csv/decode'
import { type CsvRecord, type RecordReader, recordReader } from '@/lib/csv/read-records'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { type Columns, findColumns, MAX_COLUMNS, type Mapping } from './columns'
import { type ImportRow, parseRow } from './parse-row'
import { sentence } from './reasons'

/** The maximum number of imported rows of a file. */
export const MAX_ROWS = 5000
const MAX_RECORD_BYTES = 64 * 1024
/** The maximum characters of failed rows kept for the download: per cell, and in total. */
const KEPT_CELL = 2000
const KEPT_TOTAL = 2_000_000

/** An error line: the row's number (from 1 after the header; blank rows do not count) and what is wrong with it. */
export interface RowError {
  line: number
  message: string
}

/** The content of a file: rows to import, errors, and the original rows with a problem, each with its reason last. */
export interface ParsedFile {
  /** The number of rows, including those beyond the limit. */
  total: number
  rows: ImportRow[]
  errors: RowError[]
  /** How many of the rows to import lack a value that could not be read. */
  incomplete: number
  failed: { columns: string[]; rows: string[][] }
}

/** Receives a file's bytes in chunks. `end` returns its rows, or the reason why it cannot be imported. */
export interface CsvReader {
  push: (chunk: Uint8Array) => void
  end: () => ParsedFile | { problem: HttpError }
}

const BROKEN = { quotes: sentence('quotes'), length: sentence('rowTooLong') }
const UTF8_MARK = [0xef, 0xbb, 0xbf]
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/**
 * Reads a CSV file of customers: separated by semicolons (or commas or tabs, as in its header), in UTF-8 or
 * Windows-1252, with a header, to which `mapping` adds fields chosen by hand. It keeps the checked values of the first
 * 5,000 rows and counts the others.
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
  let records: RecordReader | undefined
  let columns: Columns | null = null
  let problem: HttpError | undefined
  let kept = 0

  function readHeader({ cells, broken }: CsvRecord): void {
    const header = cells()
    columns = header.length > MAX_COLUMNS || broken ? null : findColumns(header, mapping)
    const missing = [...(mapping?.keys() ?? [])].some((name) => !header.some((one) => one.trim() === name))
    file.failed.columns = header.map((name) => name.slice(0, KEPT_CELL))
    if (!columns) problem = new HttpError('NO_KNOWN_HEADER')
    else if (missing) problem = invalidColumns('the file has no column of that name')
  }

  function readRow(record: CsvRecord, known: Columns): void {
    file.total++
    if (file.total > MAX_ROWS) return
    const cells = record.cells()
    const { broken } = record
    const { row, problem: wrong } = broken
      ? { row: null, problem: BROKEN[broken] }
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
    if (UTF16_MARKS.some(marked)) problem = new HttpError('FILE_IN_UTF16')
    const body = marked(UTF8_MARK) ? head.subarray(UTF8_MARK.length) : head
    const delimiter = delimiterOf(firstLine(body) ?? body.toString('latin1'))
    records = recordReader(delimiter, MAX_RECORD_BYTES, (record) => {
      if (problem) return
      if (columns) readRow(record, columns)
      else readHeader(record)
    })
    records.push(body)
  }

  return {
    push: (chunk) => {
      if (problem) return
      if (records) return records.push(chunk)
      head = Buffer.concat([head, chunk])
      const lineEnd = chunk.includes(10) || chunk.includes(13)
      if ((lineEnd && firstLine(head) !== null) || head.length > MAX_RECORD_BYTES) start()
    },
    end: () => {
      if (!records) start()
      records?.end()
      if (!problem && !columns) problem = new HttpError('EMPTY_FILE')
      if (problem) return { problem }
      const beyond = file.total - MAX_ROWS
      if (beyond > 0) {
        file.errors.push({ line: MAX_ROWS + 1, message: sentence('beyondLimit', { count: beyond }) })
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

/** 400 for `columns` of an upload: which field each column of the file holds. */
export const invalidColumns = (message: string) => invalidInput({ path: 'columns', code: 'invalid', message })
