// The slowest tests of the reports in a directory, what went wrong, and as the last line: N passed, N failed.
const { readdirSync, readFileSync } = require('node:fs')
const { stripVTControlCharacters } = require('node:util')

const [, , directory, failures, suites] = process.argv
const SLOWEST = 10
const print = (line) => process.stdout.write(`${line}\n`)

let passed = 0
let failed = 0
let flaky = 0
let missing = Number(suites)
const durations = []
const refused = []
for (const file of readdirSync(directory)) {
  const suite = file.replace('.json', '')
  const report = read(`${directory}/${file}`)
  if (!report) continue
  missing -= 1
  passed += report.stats ? report.stats.expected + report.stats.flaky : report.numPassedTests
  failed += report.stats ? report.stats.unexpected : report.numFailedTests
  flaky += report.stats?.flaky ?? 0
  const tests = report.stats ? browserTests(report.suites) : apiTests(report.testResults)
  for (const { name, ms, problem } of tests) {
    durations.push({ name: `${suite}: ${name}`, ms })
    if (problem !== undefined) refused.push(`${suite}: ${name}\n    ${firstLines(problem)}`)
  }
}
const failedSteps = readFileSync(failures, 'utf8').split('\n').filter(Boolean)

print(`The slowest ${SLOWEST} tests:`)
for (const { name, ms } of durations.sort((one, other) => other.ms - one.ms).slice(0, SLOWEST))
  print(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
if (missing > 0) print(`${missing} test suites left no report`)
if (flaky > 0) print(`${flaky} browser tests passed on their second try only`)
for (const test of refused) print(`failed: ${test}`)
for (const step of failedSteps) print(`failed: ${step}`)
print(`${passed} passed, ${Math.max(failed, failedSteps.length + missing)} failed`)
process.exitCode = failed + failedSteps.length + missing > 0 ? 1 : 0

/** A report, or nothing where a suite ended in the middle of writing it. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** The tests of a vitest report. A file that ended before its tests counts as one, by its own message. */
function apiTests(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.split('/tests/').at(-1)
    const tests = assertionResults.map(({ fullName, duration, status, failureMessages }) => ({
      name: `${file} ${fullName}`,
      ms: duration ?? 0,
      problem: status === 'failed' ? failureMessages.join('\n') : undefined,
    }))
    const named = tests.some(({ problem }) => problem !== undefined)
    return status === 'failed' && !named ? [...tests, { name: file, ms: 0, problem: message }] : tests
  })
}

/** The first lines of a message, without the colours of a terminal. */
function firstLines(message) {
  const lines = stripVTControlCharacters(message).split('\n').filter(Boolean)
  return lines.slice(0, 4).join('\n    ').slice(0, 600)
}

function browserTests(found = []) {
  return found.flatMap(({ specs = [], suites: inner }) => [
    ...specs.map(({ file, title, tests }) => ({
      name: `${file} ${title}`,
      ms: Math.max(0, ...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
      problem: tests.some(({ status }) => status === 'unexpected')
        ? tests.flatMap(({ results }) => results.at(-1)?.error?.message ?? []).join('\n')
        : undefined,
    })),
    ...browserTests(inner),
  ])
}
