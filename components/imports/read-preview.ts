import Papa from 'papaparse'
import { decodeText, delimiterOf } from '@/lib/csv/decode'
import { type Field, fieldOf, MAX_COLUMNS } from '@/lib/imports/columns'

/** The beginning of a file: its columns, the field of each (null: not imported), and the first rows. */
export interface Preview {
  columns: { name: string; field: Field | null }[]
  rows: string[][]
}

const HEAD_BYTES = 32 * 1024
const ROWS = 5

/** Reads the beginning of a file in the browser, with the server's rules for headers. */
export async function readPreview(file: File): Promise<Preview> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  // The cut may split a character; the last line, which is incomplete anyway, is left out.
  const whole = bytes.length < file.size ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes
  const text = decodeText(whole.length > 0 ? whole : bytes)
  const delimiter = delimiterOf(text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? '')
  const { data } = Papa.parse<string[]>(text, { delimiter, preview: ROWS + 1, skipEmptyLines: 'greedy' })
  const [header = [], ...rows] = data
  // The server refuses such a file too.
  if (header.length > MAX_COLUMNS) return { columns: [], rows: [] }
  return { columns: header.map((name) => ({ name: name.trim(), field: fieldOf(name) })), rows }
}
