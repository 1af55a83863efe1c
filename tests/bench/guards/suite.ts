// How long the worst texts take that anyone may send. The tests count work; what cannot be counted has its bound here.
import { parseMarkdown } from '@/components/assistant/markdown/parse'
import { isGuessable } from '@/lib/auth/password-strength'
import { credentialsSchema } from '@/lib/auth/schema'
import { recordReader } from '@/lib/csv/read-records'
import type { Columns } from '@/lib/imports/columns'
import { parseRow } from '@/lib/imports/parse-row'
import type { Figure } from '../support/figures'
import { CSV_PIECES, MARKDOWN_PIECES, STRANGE_PASSWORDS } from './pieces'

const CSV_BYTES = 1_000_000
const CHUNK = 65_536
// Not in the order in which they are stored.
const MARKS = `a${'\u0301'.repeat(250_000)}${'\u0323'.repeat(250_000)}`
const COLUMNS: Columns = new Map([
  ['email', [0]],
  ['notes', [1]],
])

/** One figure each for CSV files of 1 MB, Markdown of 10,000 characters, and new passwords: the slowest of its kind. */
export async function guardFigures(): Promise<Figure[]> {
  return [
    await slowest('CSV file of 1 MB', 6_000, CSV_PIECES, readCsv),
    await slowest('Markdown of 10,000 characters', 3_000, MARKDOWN_PIECES, (piece) => {
      parseMarkdown(piece.repeat(10_000 / piece.length))
    }),
    await slowest('Markdown of 1,000 lines', 3_000, MARKDOWN_PIECES, (piece) => {
      parseMarkdown(`${piece}\n`.repeat(1000))
    }),
    await slowest('strange password', 1_000, STRANGE_PASSWORDS, async (password) => {
      await isGuessable(password, ['a.'.repeat(120)])
    }),
    await slowest('password of 500,000 accents', 100, [MARKS], (password) => {
      credentialsSchema.safeParse({ email: 'ana@example.com', password })
    }),
    await slowest('cell of 64,000 accents', 100, [MARKS.slice(0, 64_000)], (notes) => {
      parseRow(['ana@example.com', notes], COLUMNS, 2, 1, '2026-11-27')
    }),
  ]
}

async function slowest(
  name: string,
  bound: number,
  texts: readonly string[],
  read: (text: string) => void | Promise<void>,
): Promise<Figure> {
  // The first one loads what is loaded on first use.
  await read(texts[0] ?? '')
  const worst = { measured: 0, detail: '' }
  for (const text of texts) {
    const began = performance.now()
    await read(text)
    const measured = performance.now() - began
    if (measured > worst.measured)
      Object.assign(worst, { measured, detail: JSON.stringify(text).slice(0, 40) })
  }
  return { name: `the slowest ${name}`, unit: 'ms', bound, ...worst }
}

function readCsv(piece: string): void {
  const bytes = Buffer.from(piece.repeat(CSV_BYTES / piece.length))
  const reader = recordReader(';', CHUNK, () => {})
  for (let at = 0; at < bytes.length; at += CHUNK) reader.push(bytes.subarray(at, at + CHUNK))
  reader.end()
}
