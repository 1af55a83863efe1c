// Reads what a run leaves in its directory: <suite>.json of Vitest or Playwright, <suite>.times of
// tests/support/times-reporter.ts, and steps.tsv of .ci/run.
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/**
 * The suites' reports in a directory, without those that a suite was writing when it ended.
 * Each: `{ suite, passed, failed, flaky, wallMs, tests: [{ file, name, ms, problem }], files }`.
 */
function readReports(directory) {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const report = readJson(join(directory, file))
      const suite = file.replace(/\.json$/, '')
      const times = readJson(join(directory, `${suite}.times`))
      return report ? [{ suite, ...(report.stats ? ofPlaywright(report) : ofVitest(report, times)) }] : []
    })
}

/** The steps of a run in their order: `{ lane, step, startS, seconds, code }`. */
function readSteps(directory) {
  const file = join(directory, 'steps.tsv')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [lane, step, startS, seconds, code] = line.split('\t')
    return { lane, step, startS: Number(startS), seconds: Number(seconds), code: Number(code) }
  })
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** A file that ended before its tests counts as a test, by its own message. */
function ofVitest(report, times) {
  const tests = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = nameOf(name)
    const found = assertionResults.map(({ fullName, duration, status: outcome, failureMessages }) => ({
      file,
      name: fullName,
      ms: duration ?? 0,
      problem: outcome === 'failed' ? failureMessages.join('\n') : undefined,
    }))
    const named = found.some(({ problem }) => problem !== undefined)
    return status === 'failed' && !named ? [...found, { file, name: '', ms: 0, problem: message }] : found
  })
  const ends = report.testResults.map(({ endTime }) => endTime)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    flaky: 0,
    wallMs: times?.wallMs ?? Math.max(0, ...ends) - report.startTime,
    tests,
    files: times ? times.files.map((each) => ({ ...each, file: nameOf(each.file) })) : filesOf(tests),
  }
}

function ofPlaywright(report) {
  const tests = browserTests(report.suites)
  return {
    passed: report.stats.expected + report.stats.flaky,
    failed: report.stats.unexpected,
    flaky: report.stats.flaky,
    wallMs: report.stats.duration,
    tests,
    files: filesOf(tests),
  }
}

function browserTests(suites = []) {
  return suites.flatMap(({ specs = [], suites: inner }) => [
    ...specs.map(({ file, title, tests }) => ({
      file,
      name: title,
      ms: Math.max(0, ...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
      problem: tests.some(({ status }) => status === 'unexpected')
        ? tests.flatMap(({ results }) => results.at(-1)?.error?.message ?? []).join('\n')
        : undefined,
    })),
    ...browserTests(inner),
  ])
}

/** Each file with the sum of its tests: these reports know nothing of loading and of hooks outside of tests. */
function filesOf(tests) {
  const files = new Map()
  for (const { file, ms } of tests) {
    const known = files.get(file) ?? { file, tests: 0, testsMs: 0 }
    files.set(file, { ...known, tests: known.tests + 1, testsMs: known.testsMs + ms })
  }
  return [...files.values()]
}

const nameOf = (path) => path.split('/tests/').at(-1)

module.exports = { readReports, readSteps }
