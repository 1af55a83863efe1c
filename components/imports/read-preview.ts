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

/**
 * Reads the beginning of a file in the browser, with the server's rules for headers. Null for one that is no text, such
 * as an Excel workbook, a PDF or a picture.
 */
export async function readPreview(file: File): Promise<Preview | null> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  // The cut may split a character; the last line, which is incomplete anyway, is left out.
  const whole = bytes.length < file.size ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes
  const text = decodeText(whole.length > 0 ? whole : bytes)
  const delimiter = delimiterOf(text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? '')
  const { data } = Papa.parse<string[]>(text, { delimiter, preview: ROWS + 1, skipEmptyLines: 'greedy' })
  const [header = [], ...rows] = data
  const columns = header.map((name) => ({ name: name.trim(), field: fieldOf(name) }))
  // Some programs leave a control character in a text; the server takes it out.
  if (isBinary(bytes) && columns.every(({ field }) => field === null)) return null
  // The server refuses such a file too.
  return header.length > MAX_COLUMNS ? { columns: [], rows: [] } : { columns, rows }
}

/** Whether there are control characters that no text has; UTF-16, which has NULs, is the server's to name. */
function isBinary(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return !isUtf16 && bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 26 && byte !== 27))
}
