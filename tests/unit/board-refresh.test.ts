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
