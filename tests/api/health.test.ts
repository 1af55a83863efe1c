import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LocalKeys, loadKeys } from '../../supabase/local/keys'
import { type Client, pointAppAt, testClient } from '../support/app'

// The database is a process of its own here, so that it can really be stopped, whatever STACK says.
const directory = mkdtempSync(join(tmpdir(), 'sobremesa-health-'))
const client: Client = testClient()
let database: ChildProcess
let keys: LocalKeys
/** Where the database listens, each time elsewhere; the app asks the front, which passes on to it. */
let port = 0
let url: string
const front = createServer((client) => {
  const inner = connect(port, '127.0.0.1')
  client.pipe(inner).pipe(client)
  for (const [one, other] of [
    [client, inner],
    [inner, client],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
})

beforeAll(async () => {
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  keys = await loadKeys(directory)
  pointAppAt(url, keys)
  await startDatabase()
})

afterAll(() => {
  database?.kill('SIGKILL')
  front.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts the database, up to its first answer: that one takes a busy machine longer than health waits. */
async function startDatabase(): Promise<void> {
  database = spawn(process.execPath, ['--import', 'tsx', 'supabase/local/serve.ts'], {
    env: { ...process.env, DATA_DIR: directory, SUPABASE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  port = await new Promise<number>((resolve, reject) => {
    database.stdout?.on('data', (line) => {
      const [, found] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? []
      if (found) resolve(Number(found))
    })
    database.once('exit', (code) => reject(new Error(`the database ended with ${code}`)))
  })
  const headers = { apikey: keys.secretKey, authorization: `Bearer ${keys.secretKey}` }
  const query = `${url}/rest/v1/organizations?select=id&limit=1`
  expect((await fetch(query, { headers })).status).toBe(200)
}

async function ended(signal: NodeJS.Signals): Promise<void> {
  const exit = new Promise((resolve) => database.once('exit', resolve))
  database.kill(signal)
  await exit
}

async function health() {
  const response = await client.request('GET', '/api/health')
  return { status: response.status, body: await response.json() }
}

const HEALTHY = {
  status: 200,
  body: {
    status: 'healthy',
    database: 'connected',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    version: '1.0.0',
  },
}
const UNHEALTHY = { status: 503, body: { status: 'unhealthy', error: 'The database does not answer' } }
const FIVE_SECONDS = 5000
const bounds = vi.spyOn(AbortSignal, 'timeout')

beforeEach(() => void bounds.mockClear())
afterAll(() => void bounds.mockRestore())

// One story: the database hangs, goes on, stops and comes back.
describe('GET /api/health', { shuffle: false }, () => {
  it('is healthy while the database answers', async () => {
    expect(await health()).toEqual(HEALTHY)
  })

  it('is unhealthy when the database hangs, for which it waits less than five seconds', async () => {
    database.kill('SIGSTOP')
    expect(await health()).toEqual(UNHEALTHY)
    expect(Math.min(...bounds.mock.calls.map(([ms]) => ms))).toBeLessThan(FIVE_SECONDS)
  })

  it('recovers when the database goes on', async () => {
    database.kill('SIGCONT')
    expect(await health()).toEqual(HEALTHY)
  })

  it('is unhealthy when the database has stopped', async () => {
    await ended('SIGTERM')
    expect(await health()).toEqual(UNHEALTHY)
  })

  it('recovers when the database is back, after a crash too', async () => {
    await startDatabase()
    expect(await health()).toEqual(HEALTHY)
    await ended('SIGKILL')
    await startDatabase()
    expect(await health()).toEqual(HEALTHY)
  })

  it('refuses a second process on the same data', async () => {
    const second = spawn(process.execPath, ['--import', 'tsx', 'supabase/local/serve.ts'], {
      env: { ...process.env, DATA_DIR: directory, SUPABASE_PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const errors: string[] = []
    second.stderr?.on('data', (chunk) => errors.push(String(chunk)))
    const code = await new Promise((resolve) => second.once('exit', resolve))
    expect(code).toBe(1)
    expect(errors.join('')).toContain(`in use by process ${database.pid}`)
  })
})
