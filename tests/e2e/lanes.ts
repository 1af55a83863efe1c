import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const FOLDER = 'tests/e2e'
/** What each file took when it was last recorded, in seconds. */
const DURATIONS = `${FOLDER}/durations.json`
const A_NEW_FILE_S = 15

interface Suite {
  file: string
  specs?: { tests: { results: { duration: number }[] }[] }[]
  suites?: Suite[]
}

/** The spec files of each lane: the longest first, each to the lane that has least to do. */
export function filesOfLanes(lanes: number): string[][] {
  const known: Record<string, number> = JSON.parse(readFileSync(DURATIONS, 'utf8'))
  const seconds = (file: string) => known[file] ?? A_NEW_FILE_S
  const shares = Array.from({ length: lanes }, () => ({ files: [] as string[], seconds: 0 }))
  const files = globSync(`${FOLDER}/*.spec.ts`).map((path) => basename(path))
  for (const file of files.sort((one, other) => seconds(other) - seconds(one) || one.localeCompare(other))) {
    const least = shares.reduce((best, share) => (share.seconds < best.seconds ? share : best))
    least.files.push(file)
    least.seconds += seconds(file)
  }
  return shares.map((share) => share.files)
}

/** Writes down what each file took by these reports of a whole run. */
export function recordDurations(reports: string[]): void {
  const suites = reports.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).suites as Suite[])
  const seconds = suites.map((suite) => [suite.file, Math.ceil(millisecondsOf(suite) / 1000)] as const)
  const sorted = Object.fromEntries(seconds.sort(([one], [other]) => one.localeCompare(other)))
  writeFileSync(DURATIONS, `${JSON.stringify(sorted, null, 2)}\n`)
}

function millisecondsOf({ specs = [], suites = [] }: Suite): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  const own = results.reduce((sum, { duration }) => sum + duration, 0)
  return suites.reduce((sum, suite) => sum + millisecondsOf(suite), own)
}
