import 'server-only'
import { type CellValue, writeXlsxStream } from 'hucre/xlsx'
import { stripInvisible } from './decode'
import { pagesOf, type Source } from './download'

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

interface Sheet<T, Cursor> extends Source<T, Cursor> {
  fileName: string
  columns: readonly { title: string; width: number }[]
  /** A record as its cells; those of a column are all of one kind. */
  row: (record: T) => readonly Cell[]
}

const FORMATS: Partial<Record<Cell['kind'], string>> = {
  date: 'dd/mm/yyyy',
  time: 'hh:mm',
  money: '#,##0.00',
  share: '0.0%',
}

/**
 * An XLSX file with one sheet, read and sent page by page like `csvDownload`. Cut short it has no directory of its
 * parts, and no program opens it.
 * @throws errors of the first page.
 */
export async function xlsxDownload<T, Cursor = string>(sheet: Sheet<T, Cursor>): Promise<Response> {
  const { first, pages } = await pagesOf(sheet)
  const kinds = first[0] === undefined ? [] : sheet.row(first[0]).map(({ kind }) => FORMATS[kind])
  async function* rows() {
    for await (const page of pages) for (const record of page) yield sheet.row(record).map(inSheet)
  }
  const file = writeXlsxStream(rows(), {
    name: 'Sheet1',
    columns: sheet.columns.map(({ title, width }, index) => ({ header: title, width, numFmt: kinds[index] })),
    freezePane: { rows: 1 },
  })
  return new Response(file, {
    headers: {
      'Content-Type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'Content-Disposition': `attachment; filename="${sheet.fileName}"`,
    },
  })
}

/** Numbers, dates and times for calculation; text is always text, whatever its first character. */
function inSheet({ kind, value }: Cell): CellValue {
  if (value === null) return null
  switch (kind) {
    case 'date':
      return new Date(`${value}T00:00:00Z`)
    case 'time': {
      const [hours = 0, minutes = 0] = value.split(':').map(Number)
      return (hours * 60 + minutes) / 1440
    }
    case 'text':
      // XML allows no control characters; half a surrogate pair would break the file too.
      return stripInvisible(value).toWellFormed()
    default:
      return value
  }
}
