// The slowest tests of the reports in a directory, what went wrong, and as the last line: N passed, N failed.
const { readdirSync, readFileSync } = require('node:fs')

const [, , directory, failures, suites] = process.argv
const SLOWEST = 10
const print = (line) => process.stdout.write(`${line}\n`)

let passed = 0
let failed = 0
let flaky = 0
let missing = Number(suites)
const durations = []
for (const file of readdirSync(directory)) {
  const suite = file.replace('.json', '')
  const report = read(`${directory}/${file}`)
  if (!report) continue
  missing -= 1
  passed += report.stats ? report.stats.expected + report.stats.flaky : report.numPassedTests
  failed += report.stats ? report.stats.unexpected : report.numFailedTests
  flaky += report.stats?.flaky ?? 0
  const tests = report.stats ? browserTests(report.suites) : apiTests(report.testResults)
  for (const { name, ms } of tests) durations.push({ name: `${suite}: ${name}`, ms })
}
const failedSteps = readFileSync(failures, 'utf8').split('\n').filter(Boolean)

print(`The slowest ${SLOWEST} tests:`)
for (const { name, ms } of durations.sort((one, other) => other.ms - one.ms).slice(0, SLOWEST))
  print(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
if (missing > 0) print(`${missing} test suites left no report`)
if (flaky > 0) print(`${flaky} browser tests passed on their second try only`)
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

function apiTests(files) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${name.split('/tests/').at(-1)} ${fullName}`,
      ms: duration ?? 0,
    })),
  )
}

function browserTests(found = []) {
  return found.flatMap(({ specs = [], suites: inner }) => [
    ...specs.map(({ file, title, tests }) => ({
      name: `${file} ${title}`,
      ms: Math.max(0, ...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    })),
    ...browserTests(inner),
  ])
}
