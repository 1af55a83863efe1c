import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { chooseParts, PARTS } from '../nightly/parts'
import { runInGroup } from '../nightly/process-group'

const WAIT = { timeout: 30_000 }

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sobremesa-nightly-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const didOf = (name: string, log: string) => PARTS.find((part) => part.name === name)?.counts(log.split('\n'))

it('every part has its job in nightly.yml', () => {
  const workflow = parse(readFileSync('.github/workflows/nightly.yml', 'utf8'))
  expect(workflow.jobs.part.strategy.matrix.part).toEqual(PARTS.map(({ name }) => name))
})

it('parts go by their name or by that of their group; without a name it is all of them', () => {
  expect(chooseParts(['chaos', 'fuzz']).map(({ name }) => name)).toEqual([
    'fuzz',
    'chaos-small',
    'chaos-large',
  ])
  expect(chooseParts([])).toEqual(PARTS)
  expect(() => chooseParts(['fuz'])).toThrow('No part fuz. The parts are: embedded,')
})

it('says what a part did, by its log', () => {
  expect(didOf('fuzz', ' Test Files  1 passed (1)\n      Tests  1 failed | 11 passed (12)\n')).toBe(
    '1 failed | 11 passed (12)',
  )
  expect(didOf('clock-spring', 'Running 2\n  1 failed\n    a.spec.ts:1\n  224 passed (9.1m)\n')).toBe(
    '1 failed, 224 passed',
  )
  expect(didOf('clock-autumn', 'lane 2 |   110 passed (9m)\nlane 1 |   114 passed (9m)\n')).toBe(
    '110 passed, 114 passed',
  )
  const figures = 'a  ≤ 2 s  1.00 s  yes  x\nb  ≤ 2 s  3.00 s  NO\nc  –  1.00 s  –\nd  ≤ 2 s  1.00 s  yes\n'
  expect(didOf('bench-sync', figures)).toBe('2 bounds kept, 1 missed')
  expect(didOf('chaos-small', '25 of 200 …\n200 of 200 …\n\n')).toBe('200 of 200')
  expect(didOf('chaos-small', 'Error\n')).toBe('–')
  expect(didOf('devices', '2 min left: 90 taps, 6 devices offline\n\n180 taps, no violation\n')).toBe(
    '180 taps, no violation',
  )
})

it('gives the exit code of a command, and keeps what it printed', async () => {
  const log = join(directory, 'failing.log')
  expect(await runInGroup('echo out; echo err >&2; exit 3', log, new AbortController().signal)).toBe(3)
  expect(readFileSync(log, 'utf8')).toBe('out\nerr\n')
})

it('ends a command and what it started when its time is up', async () => {
  const log = join(directory, 'late.log')
  const limit = new AbortController()
  const ended = runInGroup('sleep 600 & echo $!; wait', log, limit.signal)
  const pid = await vi.waitUntil(() => Number(readFileSync(log, 'utf8').trim()), WAIT)
  expect(isGone(pid)).toBe(false)
  limit.abort()
  expect(await ended).toBe('late')
  await vi.waitUntil(() => isGone(pid), WAIT)
})

/** Whether a process has ended: there is none, or one that waits to be collected. */
function isGone(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
