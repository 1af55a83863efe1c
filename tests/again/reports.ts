import { readFileSync } from 'node:fs'

interface VitestReport {
  testResults: {
    name: string
    status: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

interface PlaywrightSuite {
  specs?: { file: string; title: string; tests: { status: string }[] }[]
  suites?: PlaywrightSuite[]
}

/** What one run left behind: its seed, the code it ended with, and its JSON report. */
export interface Run {
  seed: number
  code: number | null
  report: string
}

/** The names of a run's failed tests. A run that failed without one has a name of its own. */
export function failedTests({ code, report }: Run): string[] {
  const found = namesIn(report)
  if (found === null) return [`(no report, exit code ${code})`]
  return found.length === 0 && code !== 0 ? [`(no failed test, exit code ${code})`] : found
}

function namesIn(file: string): string[] | null {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport | PlaywrightSuite
    return 'testResults' in report ? inVitest(report) : inPlaywright(report)
  } catch {
    return null
  }
}

function inVitest({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.split('/tests/').at(-1) ?? name
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`)
    // It failed outside of its tests.
    return status === 'failed' ? [file] : []
  })
}

function inPlaywright({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
  return [...failed.map(({ file, title }) => `${file}: ${title}`), ...suites.flatMap(inPlaywright)]
}

/** Which tests failed how often, the most frequent first, each with the seeds of its runs. */
export function tally(runs: readonly { seed: number; failed: readonly string[] }[]): string[] {
  const seeds = new Map<string, number[]>()
  for (const { seed, failed } of runs)
    for (const name of new Set(failed)) seeds.set(name, [...(seeds.get(name) ?? []), seed])
  return [...seeds]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, of]) => `${of.length} of ${runs.length}: ${name} (seeds ${of.join(', ')})`)
}
