import 'server-only'
import writeXlsxFile, { type CellObject } from 'write-excel-file/node'
import { stripInvisible } from './decode'

/** A cell: a text, a number, an amount of EUR, a share (0–1), a date (YYYY-MM-DD) or a time (HH:mm). */
export type Cell =
  | { kind: 'text' | 'date' | 'time'; value: string | null }
  | { kind: 'number' | 'money' | 'share'; value: number | null }

/** A cell with a text; empty without one. */
export const textCell = (value: string | null | undefined): Cell => ({ kind: 'text', value: value ?? null })

const DECIMAL_MARKS = { es: ',', en: '.' }

/** A cell as the text of a CSV file: amounts with two decimals and shares with four, with the language's mark. */
export function inCsv({ kind, value }: Cell, language: keyof typeof DECIMAL_MARKS): string {
  if (value === null) return ''
  const digits = kind === 'money' ? 2 : kind === 'share' ? 4 : undefined
  return digits === undefined
    ? String(value)
    : Number(value).toFixed(digits).replace('.', DECIMAL_MARKS[language])
}

interface Sheet {
  fileName: string
  columns: readonly { title: string; width: number }[]
  rows: readonly (readonly Cell[])[]
}

/** An XLSX file with one sheet, built in memory. */
export async function xlsxDownload({ fileName, columns, rows }: Sheet): Promise<Response> {
  const head = columns.map(({ title }) => ({ value: title, fontWeight: 'bold' as const }))
  const file = await writeXlsxFile([head, ...rows.map((row) => row.map(inSheet))], {
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer()
  return new Response(new Uint8Array(file), {
    headers: {
      'Content-Type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  })
}

/** A typed cell: numbers, dates and times for calculation; text is always text, whatever its first character. */
function inSheet({ kind, value }: Cell): CellObject | null {
  if (value === null) return null
  switch (kind) {
    case 'date':
      return { value: new Date(`${value}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' }
    case 'time': {
      const [hours = 0, minutes = 0] = value.split(':').map(Number)
      return { value: (hours * 60 + minutes) / 1440, type: Number, format: 'hh:mm' }
    }
    case 'number':
      return { value, type: Number }
    case 'money':
      return { value, type: Number, format: '#,##0.00' }
    case 'share':
      return { value, type: Number, format: '0.0%' }
    case 'text':
      // XML allows no control characters; half a surrogate pair would break the file too.
      return { value: stripInvisible(value).toWellFormed(), type: String }
  }
}
