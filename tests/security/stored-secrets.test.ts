import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localDate } from '@/lib/dates'
import { enabledTwilioConfigs } from '@/lib/integrations/services/twilio'
import { createGroup, type Group, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// A stored key belongs to the host or account it was entered for. Every attempt here tries to have it sent elsewhere.
// As Twilio's tokens are; the others take any.
const KEY = '9f8e7d6c5b4a9f8e7d6c5b4a9f8e7d6c'
const OTHER_KEY = '1a2b3c1a2b3c1a2b3c1a2b3c1a2b3c1a'

/** A host that keeps what it is sent; anything counts as an attempt. */
interface Host {
  url: string
  heard: string[]
  server: Server
}

/** What every host answers with. */
let rows: object[] = []
const today = () => localDate(new Date(), 'Europe/Madrid')

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
    response.statusCode = request.url?.startsWith('/lost/') ? 404 : 200
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ resp: 1, reservs: rows }))
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
    from: () => ({ account_sid: `AC${'1'.repeat(32)}`, sms_from: '+34600000000' }),
    to: () => ({ account_sid: `AC${'2'.repeat(32)}`, sms_from: '+34600000000' }),
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

it('a trial sends a stored key to no address from its request', async () => {
  await put('pms', { base_url: own.url, api_key: KEY })
  const { port } = new URL(evil.url)
  for (const body of [
    undefined,
    { base_url: evil.url },
    { config: { base_url: evil.url } },
    { config: { base_url: evil.url, api_key: '' } },
    { config: { base_url: `${own.url}@127.0.0.1:${port}` } },
    { config: { base_url: `http://localhost:${port}` } },
  ])
    await boss.request('POST', `/api/integrations/pms/test?base_url=${encodeURIComponent(evil.url)}`, {
      body,
    })
  // Without bookings today, the week before is asked for.
  expect(own.heard).toHaveLength(2)
  expect(evil.heard).toEqual([])
  await boss.request('POST', '/api/integrations/pms/test', {
    body: { config: { base_url: evil.url, api_key: OTHER_KEY } },
  })
  expect(evil.heard).toHaveLength(2)
  expect(evil.heard.filter((text) => text.includes(KEY))).toEqual([])
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
    p_type: 'pms' as const,
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
  const run = (url: string, key: string, ...restaurant: string[]) =>
    promisify(execFile)('npm', ['run', '-s', 'connect-pms', '--', url, ...restaurant], {
      // The app's environment and nothing else: the command needs no other setting.
      env: { ...process.env, SUPABASE_PUBLISHABLE_KEY: '', PMS_API_KEY: key },
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr.trim()}`,
    )
  const config = async () => (await app.stack.sql('select config from public.integration_configs'))[0]

  it('only asks with --check, and needs no Supabase for it', async () => {
    rows = [{ id: 1, date: today(), time: '21:00', pax: 4, state: 1, client_name: 'Ana' }]
    const before = { ...process.env }
    for (const name of ['SUPABASE_URL', 'SUPABASE_SECRET_KEY', 'SECRETS_KEY']) process.env[name] = ''
    const said = await run(own.url, KEY, 'centro', '--check').finally(() =>
      Object.assign(process.env, before),
    )
    rows = []
    expect(said).toContain(`centro on ${today()}: 1 bookings, 4 covers, from 21:00 to 21:00.`)
    expect(said).toContain('Nothing was stored: --check only asks.')
    expect(await config()).toBeUndefined()
    expect(await run(own.url, KEY, '--check')).toContain('Usage:')
  })

  it('asks first, and says what it understood and stored', async () => {
    rows = [
      {
        id: 1,
        date: today(),
        time: '21:00',
        pax: 4,
        state: 1,
        client_name: 'Ana',
        client_phone: '600111222',
      },
      { id: 2, date: today(), time: '22:00', pax: 2, state: 'rara', client_name: 'Luis' },
    ]
    const said = await run(own.url, KEY)
    rows = []
    expect(own.heard[0]).toContain(`/get_reservs/${KEY}/centro/${today()}/${today()}/0 `)
    for (const part of [
      `centro on ${today()}: 2 bookings, 6 covers, from 21:00 to 22:00.`,
      'by status: 1 confirmed, 1 unknown',
      'without a valid e-mail or phone: 1',
      'statuses not known, taken as pending: 1 "rara"',
      `Stored for Llaves, and switched on: the address ${own.url}, the key (encrypted).`,
    ])
      expect(said).toContain(part)
    for (const personal of ['Ana', 'Luis', '600111222', KEY]) expect(said).not.toContain(personal)
    expect(await config()).toEqual({ config: { base_url: own.url } })
    expect(await stored()).toMatchObject({ is_enabled: true })
    // The set-up list does not ask for the test again, also when they are saved again.
    const tests = () =>
      app.stack.sql(`select tested_by, reason from public.integration_tests where kind = 'pms'`)
    expect(await tests()).toEqual([{ tested_by: null, reason: null }])
    await run(own.url, OTHER_KEY)
    expect(await tests()).toEqual([{ tested_by: null, reason: null }])
  })

  it('needs no location when it is told a restaurant, and keeps that one', async () => {
    await app.stack.sql('update public.locations set pms_id = null')
    expect(await run(own.url, KEY)).toContain('name a restaurant to ask about')
    expect(await stored()).toBeUndefined()
    expect(await run(own.url, KEY, 'primero')).toContain('the restaurant to test with (primero)')
    expect(await config()).toEqual({ config: { base_url: own.url, venue_id: 'primero' } })
    await app.stack.sql(`update public.locations set pms_id = 'centro'`)
  })

  it('stores nothing when the PMS does not answer', async () => {
    const { port } = new URL(own.url)
    await put('pms', { base_url: own.url, api_key: KEY })
    const before = await stored()
    expect(await run(`http://127.0.0.1:${port}/lost`, OTHER_KEY)).toBe(
      'centro: the PMS answered 404 (not_found).\nNothing was stored.',
    )
    expect(await stored()).toEqual(before)
  })

  it('writes a key of its own for the host it names', async () => {
    await put('pms', { base_url: own.url, api_key: KEY })
    expect(await run(evil.url, OTHER_KEY)).toContain('Stored for Llaves')
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
