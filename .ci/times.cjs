// `npm run test:times [-- directory]`: where the time of a run went, by its reports (.ci/results: the last run's).
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { readReports, readSteps } = require('./reports.cjs')

const SLOWEST = 30
const directory = process.argv[2] ?? join(__dirname, 'results')
if (!existsSync(directory)) {
  process.stderr.write(`No reports in ${directory}. Run .ci/run first, or name a directory with reports.\n`)
  process.exit(2)
}
const reports = readReports(directory)
const steps = readSteps(directory)

const seconds = (ms) => (ms === undefined ? '–' : (ms / 1000).toFixed(1))
const whole = ({ loadMs = 0, hooksMs = 0, testsMs }) => loadMs + hooksMs + testsMs

// A suite's step names the file of its report.
const stepOf = (suite) => steps.find(({ step }) => step.includes(`/${suite}.json`))
const suiteOf = (step) => reports.find(({ suite }) => stepOf(suite) === step)
const suites = reports.map(({ suite, wallMs, passed, failed, files }) => {
  const step = stepOf(suite)
  const wall = step ? step.seconds : Math.round(wallMs / 1000)
  return [step?.lane ?? '–', suite, wall, passed + failed, files.length]
})
const others = steps
  .filter((step) => !suiteOf(step))
  .map(({ lane, step, seconds: wall }) => [lane, step.slice(0, 60), wall, '–', '–'])
const ends = steps.map(({ startS, seconds: wall }) => startS + wall)
const total = ends.length > 0 ? [['', 'the whole run', Math.max(...ends), '', '']] : []
print(['lane', 'suite or step', 'seconds', 'tests', 'files'], [...suites, ...others, ...total])

const files = reports.flatMap(({ suite, files: found }) => found.map((file) => ({ suite, ...file })))
print(
  ['suite', 'file', 'seconds', 'loading', 'set-up', 'tests', 'number'],
  files
    .toSorted((one, other) => whole(other) - whole(one))
    .slice(0, SLOWEST)
    .map((file) => [
      file.suite,
      file.file,
      seconds(whole(file)),
      seconds(file.loadMs),
      seconds(file.hooksMs),
      seconds(file.testsMs),
      file.tests,
    ]),
)

/** A Markdown table, with figures to the right. */
function print(head, rows) {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)))
  const isFigure = (column) => column > 1
  const line = (cells, pad) =>
    `| ${cells.map((cell, column) => (isFigure(column) ? cell.padStart(widths[column], pad) : cell.padEnd(widths[column], pad))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (isFigure(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  process.stdout.write(
    `${[line(lines[0], ' '), rule, ...lines.slice(1).map((cells) => line(cells, ' '))].join('\n')}\n\n`,
  )
}
