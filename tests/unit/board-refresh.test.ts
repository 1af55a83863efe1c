import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useService } from '@/components/service/use-service'
import type { Service } from '@/lib/service/schema'
import { installBrowser, inTab, mountHook, type Tab } from '../devices/browser'

let removeBrowser: () => void
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  removeBrowser = installBrowser()
})
afterEach(() => {
  removeBrowser()
  vi.useRealTimers()
})

const LIST: Service = {
  ...{ location: { id: 'norte', name: 'Norte', timezone: 'Europe/Madrid', stay_minutes: null } },
  ...{ day: '2026-11-29', at: '2026-11-29T20:00:00.000Z', closed: null, closings: [] },
  ...{ shifts: [], tables: [], waiting: [], parties: [] },
}

/** A board of Ana's with the taps `TAPS`, while `fetch` answers. */
async function withTaps(fetch: Tab['fetch'], options: Parameters<typeof useService>[2] = {}) {
  const storage = new Map([['service:ana:norte', JSON.stringify(TAPS)]])
  const tab: Tab = { fetch, storage, listeners: new Map(), timed: true }
  const boards: ReturnType<typeof useService>[] = []
  const close = await mountHook(
    tab,
    () => useService(LIST, 'ana', options),
    (shown) => void boards.push(shown),
  )
  return { boards, close, storage }
}
const TAPS = [{ tap: { key: 'k', action: 'arrive', reservation_id: 'r', at: new Date().toISOString() } }]
const fault = (status: number, code: string) =>
  Response.json({ error: code }, { status, headers: { 'X-Error-Code': code } })

it('a right that is missing for a moment, or a location, loses no tap', async () => {
  for (const [status, code] of [
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [429, 'RATE_LIMITED'],
  ] as const) {
    const { boards, close, storage } = await withTaps(async () => fault(status, code))
    await vi.waitUntil(() => boards.at(-1)?.failure?.status === status)
    expect(boards.at(-1)).toMatchObject({ waiting: 1, refused: [] })
    expect([...storage.keys()]).toEqual(['service:ana:norte'])
    await close()
  }
})

it('a tap that the server does not understand is refused, and not sent again', async () => {
  const { boards, close } = await withTaps(async (path) =>
    path.endsWith('/taps') ? fault(400, 'VALIDATION_ERROR') : Response.json({ data: LIST }),
  )
  await vi.waitUntil(() => boards.at(-1)?.refused.length === 1)
  expect(boards.at(-1)).toMatchObject({ waiting: 0, refused: [{ outcome: 'malformed' }] })
  await close()
})

it('a list that the device kept is without a connection until the server answers', async () => {
  let answer: ((response: Response) => void) | undefined
  const { boards, close } = await withTaps(
    (path) =>
      path.endsWith('/taps')
        ? Promise.resolve(Response.json({ data: [{ key: 'k', outcome: 'saved' }] }))
        : new Promise((resolve) => {
            answer = resolve
          }),
    { keptAhead: 60_000 },
  )
  expect(boards[0]?.failure).toEqual({ status: 0 })
  await vi.waitUntil(() => answer !== undefined && boards.at(-1)?.waiting === 0)
  expect(boards.at(-1)?.failure).toEqual({ status: 0 })
  answer?.(Response.json({ data: LIST }))
  await vi.waitUntil(() => boards.at(-1)?.failure === null)
  await close()
})

it('a board has what others changed within ten seconds, also when a read is lost on the way', async () => {
  const asked: string[] = []
  const tab: Tab = {
    fetch: async (path) => {
      asked.push(path)
      // The first one after the page has opened is lost.
      if (asked.length === 2) throw new TypeError('fetch failed')
      return Response.json({ data: { ...LIST, day: `read ${asked.length}` } })
    },
    ...{ storage: new Map(), listeners: new Map(), timed: true },
  }
  let board: ReturnType<typeof useService> | undefined
  const close = await mountHook(
    tab,
    () => useService(LIST, 'ana'),
    (shown) => {
      board = shown
    },
  )
  // Timers that a test moves on know of no tab.
  const pass = (ms: number) => inTab(tab, () => vi.advanceTimersByTimeAsync(ms))
  await vi.waitUntil(() => board?.service.day === 'read 1')
  await pass(9_000)
  await vi.waitUntil(() => board?.offline)
  await pass(1_000)
  await vi.waitUntil(() => board?.service.day === 'read 3')
  expect(board?.offline).toBe(false)
  await close()
})
