import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { failedTests, tally } from '../again/reports'

const directory = mkdtempSync(join(tmpdir(), 'sobremesa-again-'))
afterAll(() => rmSync(directory, { recursive: true }))

function run(code: number, content?: object) {
  const report = join(directory, `${Math.random()}.json`)
  if (content) writeFileSync(report, JSON.stringify(content))
  return { seed: 1, code, report }
}
const vitest = (status: string, ...tests: [string, string][]) => ({
  testResults: [
    {
      name: '/work/tests/api/a.test.ts',
      status,
      assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
    },
  ],
})

describe('the failed tests of a run', () => {
  it('are those of vitest’s report', () => {
    const report = vitest('failed', ['a works', 'passed'], ['b works', 'failed'], ['c works', 'skipped'])
    expect(failedTests(run(1, report))).toEqual(['api/a.test.ts: b works'])
  })

  it('are those of Playwright’s report, at any depth', () => {
    const spec = (title: string, status: string) => ({ file: 'a.spec.ts', title, tests: [{ status }] })
    const inner = { specs: [spec('one', 'expected'), spec('two', 'unexpected')] }
    expect(failedTests(run(1, { suites: [{ suites: [inner] }] }))).toEqual(['a.spec.ts: two'])
  })

  it('are never none when the run failed', () => {
    expect(failedTests(run(1, vitest('failed', ['a works', 'passed'])))).toEqual(['api/a.test.ts'])
    expect(failedTests(run(1, vitest('passed', ['a works', 'passed'])))).toEqual([
      '(no failed test, exit code 1)',
    ])
    expect(failedTests(run(137))).toEqual(['(no report, exit code 137)'])
    expect(failedTests(run(0, vitest('passed', ['a works', 'passed'])))).toEqual([])
  })
})

it('lists each failed test with its seeds, the most frequent first', () => {
  const runs = [
    { seed: 7, failed: ['b'] },
    { seed: 8, failed: ['a', 'a', 'b'] },
    { seed: 9, failed: [] },
  ]
  expect(tally(runs)).toEqual(['2 of 3: b (seeds 7, 8)', '1 of 3: a (seeds 8)'])
  expect(tally([])).toEqual([])
})
