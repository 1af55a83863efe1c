import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evenFailures } from '@/lib/auth/limits'
import { startApp, type TestApp } from '../support/app'

/** A clock that only waiting and `spend` move. */
function clock() {
  let now = 1000
  const spend = (ms: number) => {
    now += ms
  }
  return { now: () => now, spend, wait: async (ms: number) => spend(ms) }
}

/** When the answer of an attempt that takes so long and then fails leaves, after its start. */
async function failureLeaves(takes: number): Promise<number> {
  const pace = clock()
  const start = pace.now()
  const attempt = async () => {
    pace.spend(takes)
    throw new Error('refused')
  }
  await expect(evenFailures(attempt, pace)).rejects.toThrow('refused')
  return pace.now() - start
}

describe('the time of a refused sign-in', () => {
  it('is the same for an e-mail without an account as for a wrong password', async () => {
    const [unknown, wrongPassword] = [3, 180]
    expect(await failureLeaves(unknown)).toBe(500)
    expect(await failureLeaves(wrongPassword)).toBe(500)
  })

  it('goes on in whole steps when Auth is slow', async () => {
    expect(await failureLeaves(700)).toBe(1000)
    expect(await failureLeaves(990)).toBe(1000)
  })

  it('does not delay a success', async () => {
    const pace = clock()
    expect(await evenFailures(async () => 'in', pace)).toBe('in')
    expect(pace.now()).toBe(1000)
  })
})

describe('a refusal over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app?.close())

  const account = { email: 'nadie@correo.example', password: 'lluvia tejado once gato' }
  it.each([
    ['/api/auth/sign-in', account, 401],
    ['/api/auth/sign-up', { ...account, token: 'A'.repeat(43) }, 403],
  ])('of %s takes half a second at least', async (path, body, status) => {
    const start = performance.now()
    expect((await app.client().request('POST', path, { body })).status).toBe(status)
    // A timer may be a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(498)
  })
})
