import Papa from 'papaparse'
import { decodeText } from '@/lib/csv/decode'
import { delimiterOf } from '@/lib/csv/delimiter'
import { type Field, findColumns } from '@/lib/imports/columns'

/** The beginning of a file: its columns, what each will become (null: nothing), and the first rows. */
export interface Preview {
  columns: { name: string; field: Field | null }[]
  rows: string[][]
  /** The server would refuse it: the first row names neither an e-mail nor a phone. */
  unknown: boolean
}

const HEAD_BYTES = 32 * 1024
const ROWS = 5

/** Reads the beginning of a file in the browser; the same header rules as the server's. */
export async function readPreview(file: File): Promise<Preview> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  // The cut may fall inside a character: then the last, broken line is left out.
  const whole = bytes.length < file.size ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes
  const text = decodeText(whole.length > 0 ? whole : bytes)
  const delimiter = delimiterOf(text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? '')
  const { data } = Papa.parse<string[]>(text, { delimiter, preview: ROWS + 1, skipEmptyLines: 'greedy' })
  const [header = [], ...rows] = data
  const found = findColumns(header)
  const fields = new Map([...(found ?? [])].flatMap(([field, indexes]) => indexes.map((at) => [at, field])))
  return {
    columns: header.map((name, index) => ({ name, field: fields.get(index) ?? null })),
    rows,
    unknown: !found,
  }
}
