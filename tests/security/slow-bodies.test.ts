import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bodyChunks, UPLOAD_PATIENCE } from '@/lib/http/body'
import { startApp, type TestApp } from '../support/app'
import { answerOf, plainRefusal } from '../support/refusal'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  // The handler is loaded now: under a clock that stands still nothing would wait for it.
  await app.client().request('POST', '/api/auth/sign-in', { body: {} })
})
afterAll(() => app?.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A body that gives so many bytes every so many milliseconds, for ever; and whether it was given up. */
function drip(bytes: number, everyMs: number) {
  const seen = { cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      if (!seen.cancelled) controller.enqueue(new Uint8Array(bytes).fill(32))
    },
    cancel() {
      seen.cancelled = true
    },
  })
  return { stream, seen }
}
const silent = () => {
  const seen = { cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    cancel() {
      seen.cancelled = true
    },
  })
  return { stream, seen }
}
const requestOf = (body: ReadableStream) =>
  new Request('http://localhost', { method: 'POST', body, duplex: 'half' } as RequestInit)

/** Reads it all; the status it was refused with, and after how many seconds. */
async function read(body: ReadableStream, patience?: typeof UPLOAD_PATIENCE) {
  const start = performance.now()
  try {
    for await (const _ of bodyChunks(requestOf(body), patience)) {
      // Only the time counts.
    }
    return { status: 200, seconds: (performance.now() - start) / 1000 }
  } catch (error) {
    return { status: (error as { status?: number }).status, seconds: (performance.now() - start) / 1000 }
  }
}

describe('a body that comes slowly', () => {
  it.each([
    ['a byte a second', () => drip(1, 1000)],
    ['nothing at all', silent],
    ['a kilobyte a second', () => drip(1024, 1000)],
  ])('is ended after 20 s (%s), and let go', async (_, make) => {
    const { stream, seen } = make()
    const outcome = read(stream)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await outcome).toEqual({ status: 408, seconds: expect.closeTo(20, 1) })
    expect(seen.cancelled).toBe(true)
  })

  it('is an upload’s right while it keeps a pace', async () => {
    const steady = drip(16 * 1024, 1000)
    const outcome = read(steady.stream, UPLOAD_PATIENCE)
    await vi.advanceTimersByTimeAsync(200_000)
    steady.seen.cancelled = true
    await vi.advanceTimersByTimeAsync(600_000)
    const { status, seconds } = await outcome
    expect(status).toBe(408)
    expect(seconds).toBeGreaterThan(200)
  })

  it('is not an upload’s below that pace', async () => {
    const outcome = read(drip(1024, 1000).stream, UPLOAD_PATIENCE)
    await vi.advanceTimersByTimeAsync(60_000)
    const { status, seconds } = await outcome
    expect(status).toBe(408)
    expect(seconds).toBeLessThan(30)
  })

  it('is not read for ever after a refusal either', async () => {
    const { stream, seen } = drip(1, 1000)
    const refused = async () => {
      for await (const _ of bodyChunks(requestOf(stream))) break
    }
    const done = refused()
    await vi.advanceTimersByTimeAsync(60_000)
    await done
    expect(seen.cancelled).toBe(true)
  })

  it('is answered 408, and the connection closed', async () => {
    const { stream } = drip(1, 1000)
    const asked = app.client().request('POST', '/api/auth/sign-in', {
      body: stream,
      headers: { 'content-type': 'application/json' },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    const response = await asked
    expect(response.headers.get('connection')).toBe('close')
    expect(await answerOf(response)).toEqual(plainRefusal('BODY_TOO_SLOW'))
  })
})
