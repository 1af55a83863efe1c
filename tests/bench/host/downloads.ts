import { execFileSync } from 'node:child_process'
import type { Figure } from '../support/figures'

const FEW = 10_000
const MANY = 100_000
const HEAP_MB = 48
// What a collector leaves lying; a file that is held whole has 200 MB more.
const MORE_MB = 120

/**
 * Downloads of 10,000 and 100,000 rows of 2 KB, each in a process of its own with a small heap, read as a client does:
 * how much more memory ten times the rows take.
 */
export async function downloadFigures(): Promise<Figure[]> {
  return ['csv', 'xlsx'].map((format): Figure => {
    const few = download(format, FEW)
    const many = download(format, MANY)
    const sent = `${(many.bytes / 1e6).toFixed(0)} MB sent in ${many.seconds.toFixed(0)} s`
    return {
      ...{ name: `${MANY} rows as ${format.toUpperCase()}: memory above that of ${FEW}`, unit: 'MB' },
      ...{ measured: many.peakMb - few.peakMb, bound: MORE_MB },
      detail: `${few.peakMb.toFixed(0)} and ${many.peakMb.toFixed(0)} MB; ${sent}`,
    }
  })
}

function download(format: string, rows: number): { bytes: number; peakMb: number; seconds: number } {
  const loaders = ['--import', 'tsx', '--import', './tests/support/outside-next.ts']
  const node = [`--max-old-space-size=${HEAP_MB}`, ...loaders]
  const run = [...node, 'tests/support/large-download.ts', format, String(rows)]
  const begin = performance.now()
  const said = JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8' }))
  return { ...said, seconds: (performance.now() - begin) / 1000 }
}
