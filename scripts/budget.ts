// `npm run budget`, after a build: the gzipped JavaScript of each page's first load. Exits 1 over the budget.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUDGET_KIB = 200
const BUILD = '.next'
// Next's own count of the chunks that the first HTML of a page names; chunks of `next/dynamic` load later.
const STATS = join(BUILD, 'diagnostics/route-bundle-stats.json')

interface RouteStats {
  route: string
  firstLoadChunkPaths: string[]
}

const weights = new Map<string, number>()

/** The gzipped size of a chunk in KiB. */
function weight(path: string): number {
  const known = weights.get(path) ?? gzipSync(readFileSync(path)).length / 1024
  weights.set(path, known)
  return known
}

const stats = JSON.parse(readFileSync(STATS, 'utf8')) as RouteStats[]
const pages = stats
  .map(({ route, firstLoadChunkPaths }) => ({
    route,
    size: firstLoadChunkPaths.reduce((sum, path) => sum + weight(path), 0),
  }))
  .sort((one, other) => other.size - one.size)
if (pages.length === 0) throw new Error(`${STATS} names no page`)

const width = Math.max(...pages.map(({ route }) => route.length))
console.log(`${'page'.padEnd(width)}  first JS (gzip), at most ${BUDGET_KIB} KiB`)
for (const { route, size } of pages)
  console.log(`${route.padEnd(width)}  ${size.toFixed(1)} KiB${size > BUDGET_KIB ? '  OVER' : ''}`)
process.exit(pages.some(({ size }) => size > BUDGET_KIB) ? 1 : 0)
