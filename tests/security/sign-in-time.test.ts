import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { evenFailures } from '@/lib/auth/limits'
import { CHOSEN, createGroup, type Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { watchRequests } from '../support/network'

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
  let person: Person
  // The app's own clock in the place of the real one: it shows what would have been waited.
  const pace = clock()
  beforeAll(async () => {
    vi.doMock('@/lib/auth/limits', async (original) => {
      const limits = await original<typeof import('@/lib/auth/limits')>()
      const even: typeof evenFailures = (attempt) => limits.evenFailures(attempt, pace)
      return { ...limits, evenFailures: even }
    })
    app = await startApp()
    person = await (await createGroup(app.stack, 'Grupo Paciente')).person('operaciones')
  })
  afterAll(() => app?.close())

  /** The answer's status, how long it was kept, and what Auth was asked for it. */
  async function refused(path: string, body: object) {
    const [start, asked] = [pace.now(), [] as string[]]
    const stop = watchRequests(({ method, url }) => {
      const { pathname } = new URL(url)
      if (pathname.startsWith('/auth/')) asked.push(`${method} ${pathname}`)
    })
    try {
      const { status } = await app.client().request('POST', path, { body })
      return { status, kept: pace.now() - start, asked }
    } finally {
      stop()
    }
  }
  const account = { email: 'nadie@correo.example', password: CHOSEN }

  it('of a sign-in takes half a second, and asks Auth the same whether there is an account or not', async () => {
    const unknown = await refused('/api/auth/sign-in', account)
    expect(unknown).toEqual({ status: 401, kept: 500, asked: ['POST /auth/v1/token'] })
    expect(await refused('/api/auth/sign-in', { ...account, email: person.email })).toEqual(unknown)
  })

  it('of a sign-up takes half a second', async () => {
    const { status, kept } = await refused('/api/auth/sign-up', { ...account, token: 'A'.repeat(43) })
    expect({ status, kept }).toEqual({ status: 403, kept: 500 })
  })
})
