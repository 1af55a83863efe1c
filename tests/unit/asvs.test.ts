import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
const STATES = ['yes', 'part', 'open', 'host', 'n/a']

/** The rows of docs/asvs.md: id, requirement, state, how, tested where, on. */
const ROWS = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .map(([id = '', , state = '', , tested = '', on = '']) => ({ id, state, tested, on }))

/** The tests that a row names: `tests/…` “title”. */
const citedIn = (tested: string) =>
  [...tested.matchAll(/`(tests\/[^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }))
const CITED = ROWS.flatMap(({ id, tested, on }) => citedIn(tested).map((cited) => ({ id, on, ...cited })))

const linesOf = (file: string) =>
  existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8').split('\n') : []
const lineOf = (lines: string[], title: string) =>
  lines.findIndex((line) =>
    [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => line.includes(quoted)),
  )

/** Where a test runs: by its folder, and by a condition of its own or of a `describe` around it. */
function runsOn(file: string, title: string): string {
  const folder = { e2e: 'browser', contract: 'built', unit: 'unit' }[file.split('/')[1] ?? '']
  if (folder) return folder
  const lines = linesOf(file)
  const indent = (line: string) => line.length - line.trimStart().length
  let outer = lineOf(lines, title)
  const around = [lines[outer] ?? '']
  for (let at = outer - 1; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || indent(line) >= indent(lines[outer] ?? '')) continue
    around.push(line)
    outer = at
  }
  const conditions = around.join(' ')
  if (/(runIf\(process\.env\.STACK ===|skipIf\(process\.env\.STACK !==) 'postgres'/.test(conditions))
    return 'Postgres'
  return /runIf\(process\.env\.STACK !== 'postgres'/.test(conditions) ? 'embedded' : 'both'
}

it('has rows', () => expect(ROWS.length).toBeGreaterThan(150))

it('names tests that are there', () => {
  const missing = CITED.filter(({ file, title }) => lineOf(linesOf(file), title) < 0)
  expect(missing).toEqual([])
})

it('says on which stack they run', () => {
  const said = ROWS.map(({ id, on }) => [id, on])
  const tested = ROWS.map(({ id, tested }) => {
    const stacks = citedIn(tested).map(({ file, title }) => runsOn(file, title))
    return [id, [...new Set(stacks)].join(', ')]
  })
  expect(said).toEqual(tested)
})

it('says of every other row that no test shows it', () => {
  const silent = ROWS.filter(({ state, tested }) => {
    const nothing = citedIn(tested).length === 0
    return !STATES.includes(state) || (nothing && tested !== (state === 'n/a' ? '' : 'not tested'))
  })
  expect(silent).toEqual([])
})
