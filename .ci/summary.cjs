// The slowest tests of the reports in a directory, what went wrong, and as the last line: N passed, N failed.
const { readFileSync } = require('node:fs')
const { stripVTControlCharacters } = require('node:util')
const { readReports } = require('./reports.cjs')

const [, , directory, failures, suites] = process.argv
const SLOWEST = 10
const print = (line) => process.stdout.write(`${line}\n`)

const reports = readReports(directory)
const sum = (figure) => reports.reduce((total, report) => total + report[figure], 0)
const [passed, failed, flaky, missing] = [
  sum('passed'),
  sum('failed'),
  sum('flaky'),
  Number(suites) - reports.length,
]
const tests = reports.flatMap(({ suite, tests: found }) =>
  found.map((test) => ({ ...test, full: `${suite}: ${test.file} ${test.name}`.trim() })),
)
const failedSteps = readFileSync(failures, 'utf8').split('\n').filter(Boolean)

print(`The slowest ${SLOWEST} tests:`)
for (const { full, ms } of tests.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST))
  print(`${(ms / 1000).toFixed(1).padStart(6)} s  ${full}`)
if (missing > 0) print(`${missing} test suites left no report`)
if (flaky > 0) print(`${flaky} browser tests passed on their second try only`)
for (const { full, problem } of tests)
  if (problem !== undefined) print(`failed: ${full}\n    ${firstLines(problem)}`)
for (const step of failedSteps) print(`failed: ${step}`)
print(`${passed} passed, ${Math.max(failed, failedSteps.length + missing)} failed`)
process.exitCode = failed + failedSteps.length + missing > 0 ? 1 : 0

/** The first lines of a message, without the colours of a terminal. */
function firstLines(message) {
  const lines = stripVTControlCharacters(message).split('\n').filter(Boolean)
  return lines.slice(0, 4).join('\n    ').slice(0, 600)
}
