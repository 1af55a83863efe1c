// `node --max-old-space-size=… large-download.ts csv|xlsx ROWS`: makes a download of so many rows of 2 KB, reads it as a
// client does, and prints its bytes and the most memory. A download that holds its rows runs out of memory.
import { csvDownload } from '@/lib/csv/download'
import { textCell, xlsxDownload } from '@/lib/csv/sheet'

const PAGE = 500
const [format, rows] = [process.argv[2], Number(process.argv[3])]
const texts = (row: number) =>
  Array.from({ length: 14 }, (_, cell) => `${row} ${cell} ${Math.random()}`.padEnd(150, '.'))

const file = {
  fileName: 'x',
  page: async (from = 0) => ({
    data: Array.from({ length: Math.min(PAGE, rows - from) }, (_, index) => texts(from + index)),
    next_cursor: from + PAGE < rows ? from + PAGE : null,
  }),
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
console.log(JSON.stringify({ bytes, peakMb: process.resourceUsage().maxRSS / 1024 }))
