import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Fault } from '@/lib/health/fault'

const findFault = vi.fn<() => Promise<Fault | null>>()
vi.mock('@/lib/health/fault', () => ({ findFault }))
vi.mock('@/lib/health/health', () => ({ logFault: vi.fn() }))

const SILENT: Fault = { kind: 'silent' }
const OLD: Fault = { kind: 'schema_old' }
let knownFault: () => Promise<Fault | null>

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['performance'] })
  findFault.mockReset()
  ;({ knownFault } = await import('@/lib/health/known-fault'))
})
afterEach(() => vi.useRealTimers())
afterAll(() => {
  vi.doUnmock('@/lib/health/fault')
  vi.doUnmock('@/lib/health/health')
})

/** The app's answers, then pages opened so many seconds apart: what each was shown. */
async function shown(answers: (Fault | null)[], ...seconds: number[]): Promise<(Fault | null)[]> {
  for (const answer of answers) findFault.mockResolvedValueOnce(answer)
  const pages = [await knownFault()]
  for (const after of seconds) {
    vi.advanceTimersByTime(after * 1000)
    pages.push(await knownFault())
    // What was asked beside the page has an answer by the next one.
    await vi.waitFor(() => Promise.resolve())
  }
  return pages
}

it('one slow answer of the database closes no page, a second one does', async () => {
  expect(await shown([null, SILENT, SILENT, null], 61, 1, 6, 1, 6)).toEqual([
    ...[null, null, null],
    ...[SILENT, SILENT, null],
  ])
})

it('one slow answer is forgotten by a good one', async () => {
  expect(await shown([null, SILENT, null, SILENT, null], 61, 6, 61, 6, 6)).toEqual([
    ...[null, null, null],
    ...[null, null, null],
  ])
})

it('what no second question would answer otherwise is shown at once, and so is silence at the start', async () => {
  expect(await shown([null, OLD], 61, 1)).toEqual([null, null, OLD])
  vi.resetModules()
  ;({ knownFault } = await import('@/lib/health/known-fault'))
  expect(await shown([SILENT])).toEqual([SILENT])
})

it('pages do not wait for the answer while the last good one is minutes old, and do after five', async () => {
  findFault.mockResolvedValueOnce(null)
  expect(await knownFault()).toBe(null)
  findFault.mockReturnValue(new Promise(() => {}))
  vi.advanceTimersByTime(61_000)
  expect(await knownFault()).toBe(null)
  vi.advanceTimersByTime(300_000)
  expect(await Promise.race([knownFault(), Promise.resolve('waits')])).toBe('waits')
  expect(findFault).toHaveBeenCalledTimes(2)
})
