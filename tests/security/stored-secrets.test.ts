import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enabledTwilioConfigs } from '@/lib/integrations/providers'
import { createGroup, type Group, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// A stored key belongs to the host or account it was entered for. Every attempt here tries to have it sent elsewhere.
const KEY = 'sk-live-9f8e7d6c5b4a'
const OTHER_KEY = 'sk-live-other-1a2b3c'

/** A host that keeps what it is sent; anything counts as an attempt. */
interface Host {
  url: string
  heard: string[]
  server: Server
}

let app: TestApp
let group: Group
let boss: Client
let own: Host
let evil: Host

beforeAll(async () => {
  app = await startApp({ PMS_TIMEOUT_MS: '2000' })
  group = await createGroup(app.stack, 'Llaves', [{ name: 'Centro', slug: 'centro' }])
  boss = await signedIn(await group.person('admin'))
  own = await startHost()
  evil = await startHost()
})
beforeEach(async () => {
  await app.stack.sql(emptyTables('integration_configs', 'rate_limits'))
  own.heard = []
  evil.heard = []
})
afterAll(async () => {
  for (const host of [own, evil]) {
    host?.server.closeAllConnections()
    host?.server.close()
  }
  await app?.close()
})

async function startHost(): Promise<Host> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    host.heard.push(`${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(parts)}`)
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ resp: 1, reservs: [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host: Host = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: [], server }
  return host
}

const put = (type: string, config: object, is_enabled = true) =>
  boss.request('PUT', `/api/integrations/${type}`, { body: { is_enabled, config } }).then(answer)
const stored = async () => {
  const [row] = await app.stack.sql<{ is_enabled: boolean; secrets: Record<string, string> }>(
    'select is_enabled, secrets from public.integration_configs',
  )
  return row
}
/** Everything that may use an integration: the trial, the sync, the assistant. */
async function tryAll() {
  await boss.request('POST', '/api/integrations/pms/test')
  await app.client().request('POST', '/api/sync', { headers: { authorization: `Bearer ${app.cronSecret}` } })
  await boss.request('POST', '/api/ai/chat', { body: { message: 'Hola' } })
}

const CASES = [
  {
    type: 'pms',
    secret: 'api_key',
    from: () => ({ base_url: own.url, venue_id: 'v' }),
    to: () => ({ base_url: evil.url, venue_id: 'v' }),
  },
  {
    type: 'ai',
    secret: 'api_key',
    from: () => ({ base_url: `${own.url}/v1` }),
    to: () => ({ base_url: `${evil.url}/v1` }),
  },
  { type: 'ai', secret: 'api_key', from: () => ({}), to: () => ({ base_url: `${evil.url}/v1` }) },
  {
    type: 'twilio',
    secret: 'auth_token',
    from: () => ({ account_sid: 'AC1', sms_from: '+34600000000' }),
    to: () => ({ account_sid: 'AC2', sms_from: '+34600000000' }),
  },
]

describe.each(CASES)('$type from one host or account to another', ({ type, secret, from, to }) => {
  it('loses its stored secret, is switched off, and sends it nowhere', async () => {
    expect((await put(type, { ...from(), [secret]: KEY })).body.data).toMatchObject({ is_enabled: true })
    const moved = await put(type, to())
    expect(moved.status).toBe(200)
    expect(moved.body.data).toMatchObject({
      is_enabled: false,
      config: { ...to(), [secret]: null, [`${secret}_set`]: false },
    })
    expect(await stored()).toEqual({ is_enabled: false, secrets: {} })
    await tryAll()
    expect(evil.heard).toEqual([])
  })

  it('does not get it back by returning, and stays off until it is entered', async () => {
    await put(type, { ...from(), [secret]: KEY })
    await put(type, to())
    const missing = invalid(`config.${secret}`, 'required')
    expect(await put(type, from())).toEqual(missing)
    expect(await put(type, to())).toEqual(missing)
    expect((await put(type, { ...to(), [secret]: OTHER_KEY })).body.data).toMatchObject({
      is_enabled: true,
    })
  })

  it('works on with a secret entered in the same save, and only that one', async () => {
    await put(type, { ...from(), [secret]: KEY })
    expect((await put(type, { ...to(), [secret]: OTHER_KEY })).body.data).toMatchObject({
      is_enabled: true,
    })
    await tryAll()
    expect(evil.heard.filter((text) => text.includes(KEY))).toEqual([])
  })

  it('loses it also when it is switched off meanwhile', async () => {
    await put(type, { ...from(), [secret]: KEY })
    await put(type, to(), false)
    expect(await stored()).toEqual({ is_enabled: false, secrets: {} })
  })

  it('in a row edited by hand, its secret does not open', async () => {
    await put(type, { ...from(), [secret]: KEY })
    await app.stack.sql('update public.integration_configs set config = $1::jsonb', [JSON.stringify(to())])
    await tryAll()
    expect(evil.heard).toEqual([])
    if (type === 'twilio')
      await expect(enabledTwilioConfigs(stackClient(app.stack, 'service'))).rejects.toThrow()
  })
})

it('another path, or another field, of the same host keeps the secret', async () => {
  await put('pms', { base_url: own.url, api_key: KEY })
  expect((await put('pms', { base_url: `${own.url}/v2`, venue_id: 'x' })).body.data).toMatchObject({
    is_enabled: true,
    config: { api_key_set: true },
  })
  await tryAll()
  expect(own.heard.some((text) => text.startsWith(`/v2/api/restaurant/get_reservs/${KEY}/`))).toBe(true)
})

it('a move that lacks more than the secret it clears is refused, and changes nothing', async () => {
  await put('pms', { base_url: own.url, api_key: KEY })
  const refused = await put('pms', { base_url: '' })
  for (const field of ['api_key', 'base_url']) expect(refused).toEqual(invalid(`config.${field}`, 'required'))
  expect(await stored()).toMatchObject({ is_enabled: true, secrets: { api_key: expect.any(String) } })
})

it('a trial takes no address from its request', async () => {
  await put('pms', { base_url: own.url, api_key: KEY })
  const body = { base_url: evil.url, config: { base_url: evil.url } }
  await boss.request('POST', `/api/integrations/pms/test?base_url=${encodeURIComponent(evil.url)}`, { body })
  expect(own.heard).toHaveLength(1)
  expect(evil.heard).toEqual([])
})

it('of saves at the same time, no secret ends beside another host', async () => {
  for (let round = 0; round < 8; round++) {
    await put('pms', { base_url: own.url, api_key: KEY })
    await Promise.all([
      put('pms', { base_url: evil.url }),
      put('pms', { base_url: own.url, venue_id: 'x' }),
      put('pms', { base_url: own.url, api_key: KEY }),
      put('pms', { base_url: evil.url }, false),
    ])
    await tryAll()
  }
  expect(evil.heard).toEqual([])
})

it('the database clears by itself, whatever the app sends', async () => {
  await put('pms', { base_url: own.url, api_key: KEY })
  const move = {
    p_organization: group.id,
    p_type: 'pms',
    p_enabled: true,
    p_config: { base_url: evil.url },
    p_address: evil.url,
    p_secrets: {},
    p_required: ['api_key'],
  }
  const { data } = await stackClient(app.stack, 'service').rpc('save_integration', move).throwOnError()
  expect([data, await stored()]).toEqual([[], { is_enabled: false, secrets: {} }])
})

describe('npm run connect-pms', () => {
  const run = (url: string, key: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/connect-pms.ts', slug, url], {
      env: { ...process.env, PMS_API_KEY: key },
    }).then(
      () => 'connected',
      (error: { stderr: string }) => error.stderr.trim(),
    )
  let slug = ''
  beforeAll(async () => {
    const rows = await app.stack.sql<{ slug: string }>('select slug from public.organizations')
    slug = rows[0]?.slug ?? ''
  })

  it('writes a key of its own for the host it names', async () => {
    await put('pms', { base_url: own.url, api_key: KEY })
    expect(await run(evil.url, OTHER_KEY)).toBe('connected')
    await tryAll()
    expect(evil.heard.some((text) => text.includes(OTHER_KEY))).toBe(true)
    expect(evil.heard.filter((text) => text.includes(KEY))).toEqual([])
    expect((await put('pms', { base_url: own.url })).body.data).toMatchObject({ is_enabled: false })
  })

  it('refuses a host inside the network', async () => {
    expect(await run('https://169.254.169.254', KEY)).toBe(
      'the PMS address leads to a link-local address, where cloud metadata is served',
    )
    expect(await stored()).toBeUndefined()
  })
})
