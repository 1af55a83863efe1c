import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { anonymousDb } from '@/lib/db/anonymous'
import { serviceDb } from '@/lib/db/service'
import { userDb } from '@/lib/db/user'
import { generateKeys } from '../../supabase/local/keys'
import { pointAppAt } from '../support/app'

let silent: Server
let asked: string[]

beforeAll(async () => {
  silent = createServer(({ url }) => void asked.push(`${url}`))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  pointAppAt(`http://127.0.0.1:${port}`, await generateKeys())
})
beforeEach(() => {
  asked = []
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => {
  silent.closeAllConnections()
  silent.close()
})

it.each([
  ['a person', 8_000, () => userDb({ getAll: () => [], setAll: () => {} })],
  ['someone who signs in', 8_000, anonymousDb],
  ['a job', 120_000, serviceDb],
] as const)(
  'a database that hangs is given up for %s after %i ms, and not asked again',
  async (_, ms, db) => {
    // The time is up once the request has arrived.
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    silent.once('request', () => limit.abort())
    const { error } = await db().from('locations').select('id')
    expect(error?.message).toContain(`no answer within ${ms} ms`)
    expect(timeout).toHaveBeenCalledWith(ms)
    expect(asked).toHaveLength(1)
  },
)
