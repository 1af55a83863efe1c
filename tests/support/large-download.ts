// `node --expose-gc large-download.ts csv|xlsx ROWS`: makes a download of so many rows of 2 KB, reads it as a client does,
// and prints its bytes, the most memory, and how much more is in use at the last page than at the third. A download that
// holds its rows holds 2 KB a row more.
import { csvDownload } from '@/lib/csv/download'
import { textCell, xlsxDownload } from '@/lib/csv/sheet'

const PAGE = 500
const [format, rows] = [process.argv[2], Number(process.argv[3])]
const texts = (row: number) =>
  Array.from({ length: 14 }, (_, cell) => `${row} ${cell} ${Math.random()}`.padEnd(150, '.'))

const used: number[] = []
/** Bytes that are still needed. */
function inUse(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const file = {
  fileName: 'x',
  page: async (from = 0) => {
    if (from === 2 * PAGE || from + PAGE >= rows) used.push(inUse())
    return {
      data: Array.from({ length: Math.min(PAGE, rows - from) }, (_, index) => texts(from + index)),
      next_cursor: from + PAGE < rows ? from + PAGE : null,
    }
  },
}
const answer =
  format === 'csv'
    ? await csvDownload<string[], number>({ ...file, separator: ';', header: [], row: (cells) => cells })
    : await xlsxDownload<string[], number>({
        ...file,
        columns: texts(0).map((title) => ({ title, width: 16 })),
        row: (cells) => cells.map(textCell),
      })
let bytes = 0
for await (const chunk of answer.body ?? []) bytes += chunk.length
const [early = Number.NaN, late = Number.NaN] = used
const peakMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ bytes, peakMb, grownMb: (late - early) / 1e6 }))
