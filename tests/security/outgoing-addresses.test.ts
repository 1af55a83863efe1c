import type { LookupAddress } from 'node:dns'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ipRefusal, safeBaseUrl } from '@/lib/address/address'
import type { Refusal } from '@/lib/address/refusals'
import { outgoingFetch } from '@/lib/outgoing/fetch'
import { guardedLookup } from '@/lib/outgoing/lookup'
import { createGroup, type Group, PMS_KEY } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// What DNS says here, in turn; a name it does not have is unknown.
const dns = vi.hoisted(() => ({ answers: new Map<string, string[][]>(), asked: [] as string[] }))
vi.mock('@/lib/outgoing/resolve', () => ({
  resolveHost: async (hostname: string): Promise<LookupAddress[]> => {
    dns.asked.push(hostname)
    const answers = dns.answers.get(hostname)
    const ips = answers && (answers.length > 1 ? answers.shift() : answers[0])
    if (hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
    if (!ips) throw Object.assign(new Error(`ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
    return ips.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
}))

const LOOPBACK = 'loopback'
const PRIVATE = 'private'
const LINK_LOCAL = 'link_local'
const RESERVED = 'reserved'
const INTERNAL = 'internal_name'
const SCHEME = 'scheme'
const refusedAs = (reason: Refusal) => expect.objectContaining({ reason })

let app: TestApp
let group: Group
let boss: Client
let inside: { port: number; heard: string[]; server: Server }

beforeAll(async () => {
  app = await startApp({ PMS_TIMEOUT_MS: '2000', LOG_LEVEL: 'silent' })
  group = await createGroup(app.stack, 'Fuera', [{ name: 'Centro', slug: 'centro' }])
  boss = await signedIn(await group.person('admin'))
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(String(request.url))
    response.statusCode = 400
    response.end(JSON.stringify({ resp: 0, error: { message: 'root:x:0:0 inside' } }))
  })
  // TLS or not, a connection alone is an attempt.
  server.on('connection', () => heard.push('connection'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  inside = { port: (server.address() as AddressInfo).port, heard, server }
})
beforeEach(async () => {
  dns.answers.clear()
  dns.asked = []
  inside.heard.length = 0
  await app.stack.sql(emptyTables('integration_configs', 'rate_limits'))
})
afterAll(async () => {
  inside?.server.closeAllConnections()
  inside?.server.close()
  await app?.close()
})

const sync = () =>
  app
    .client()
    .request('POST', '/api/sync', { headers: { authorization: `Bearer ${app.cronSecret}` } })
    .then(answer)
const put = (type: string, base_url: string) =>
  boss
    .request('PUT', `/api/integrations/${type}`, {
      body: { is_enabled: true, config: { api_key: 'k', base_url } },
    })
    .then(answer)

describe('an address is refused when it is saved, with the reason', () => {
  it.each<[string, Refusal | undefined]>([
    // IPv4 in every notation that a URL allows.
    ['https://127.0.0.1:8443', undefined],
    ['https://127.0.0.2', LOOPBACK],
    ['https://127.2', LOOPBACK],
    ['https://2130706434', LOOPBACK],
    ['https://0x7f000002', LOOPBACK],
    ['https://0x7f.0.0.2', LOOPBACK],
    ['https://0177.0.0.2', LOOPBACK],
    ['https://017700000002', LOOPBACK],
    ['https://127.0.0.2.', LOOPBACK],
    ['https://%31%32%37.0.0.2', LOOPBACK],
    ['https://①②⑦.⓪.⓪.②', LOOPBACK],
    ['https://１２７。０。０。２', LOOPBACK],
    ['https://0.0.0.0', LOOPBACK],
    ['https://0', LOOPBACK],
    ['https://10.0.0.5', PRIVATE],
    ['https://172.16.0.1', PRIVATE],
    ['https://192.168.1.1', PRIVATE],
    ['https://100.64.0.1', PRIVATE],
    ['https://169.254.169.254', LINK_LOCAL],
    ['https://2852039166', LINK_LOCAL],
    ['https://0xa9fea9fe/latest/meta-data', LINK_LOCAL],
    ['https://0251.0376.0251.0376', LINK_LOCAL],
    ['https://169.254.43518', LINK_LOCAL],
    ['https://192.0.2.1', RESERVED],
    ['https://198.18.0.1', RESERVED],
    ['https://224.0.0.1', RESERVED],
    ['https://240.0.0.1', RESERVED],
    ['https://255.255.255.255', RESERVED],
    // IPv6, and IPv4 inside it.
    ['https://[::]', LOOPBACK],
    ['https://[0:0:0:0:0:0:0:1]', undefined],
    ['https://[::ffff:127.0.0.1]', LOOPBACK],
    ['https://[::ffff:7f00:1]', LOOPBACK],
    ['https://[::127.0.0.1]', RESERVED],
    ['https://[::ffff:169.254.169.254]', LINK_LOCAL],
    ['https://[::ffff:10.0.0.1]', PRIVATE],
    ['https://[64:ff9b::a00:1]', RESERVED],
    ['https://[64:ff9b:1::a00:1]', RESERVED],
    ['https://[2002:7f00:1::]', RESERVED],
    ['https://[2001::1]', RESERVED],
    ['https://[fd00:ec2::254]', PRIVATE],
    ['https://[fc00::1]', PRIVATE],
    ['https://[fe80::1]', LINK_LOCAL],
    ['https://[fec0::1]', RESERVED],
    ['https://[ff02::1]', RESERVED],
    ['https://[2001:db8::1]', RESERVED],
    ['https://[4000::1]', RESERVED],
    // Names that only a network's inside knows.
    ['https://localhost.', INTERNAL],
    ['https://db.localhost', INTERNAL],
    ['https://metadata.google.internal', INTERNAL],
    ['https://METADATA.GOOGLE.INTERNAL.', INTERNAL],
    ['https://printer.local', INTERNAL],
    ['https://router.home.arpa', INTERNAL],
    // Credentials before the host, and what is no https.
    ['https://pms.example@127.0.0.2', SCHEME],
    ['https://127.0.0.2:443\\@pms.example', LOOPBACK],
    ['http://169.254.169.254', SCHEME],
    ['http://127.0.0.2', SCHEME],
    ['gopher://127.0.0.1', SCHEME],
    ['file:///etc/passwd', SCHEME],
  ])('%s', async (url, reason) => {
    for (const type of ['pms', 'ai'])
      expect([type, await put(type, url)]).toEqual([
        type,
        reason === undefined
          ? { status: 200, body: { data: expect.anything() } }
          : invalid('config.base_url', reason),
      ])
    const rows = await app.stack.sql('select 1 from public.integration_configs')
    expect(rows).toHaveLength(reason === undefined ? 2 : 0)
  })

  it.each<[string[], Refusal]>([
    [['10.0.0.1'], PRIVATE],
    [['127.0.0.1'], LOOPBACK],
    [['::1'], LOOPBACK],
    [['::ffff:169.254.169.254'], LINK_LOCAL],
    [['203.0.114.1', '2606:4700::1', '192.168.0.9'], PRIVATE],
    [['fe80::1%eth0'], LINK_LOCAL],
  ])('a name that DNS answers with %j', async (ips, reason) => {
    dns.answers.set('pms.example', [ips])
    for (const type of ['pms', 'ai'])
      expect(await put(type, 'https://pms.example/x')).toEqual(invalid('config.base_url', reason))
  })

  it('a name on the internet is taken, and one that DNS does not know today', async () => {
    dns.answers.set('pms.example', [['203.0.114.1', '2606:4700::1']])
    expect((await put('pms', 'https://pms.example')).status).toBe(200)
    expect((await put('pms', 'https://unknown.example')).status).toBe(200)
  })
})

describe('a name that leads inside only after it was saved', () => {
  const chat = () => boss.request('POST', '/api/ai/chat', { body: { message: 'Hola' } }).then(answer)
  const test = () => boss.request('POST', '/api/integrations/pms/test').then(answer)

  beforeEach(() => {
    // Public while it is checked, inside when it is used.
    dns.answers.set('rebind.example', [['203.0.114.1'], ['127.0.0.1']])
  })

  it('is not connected to by the PMS client, which says why without what was there', async () => {
    expect((await put('pms', `https://rebind.example:${inside.port}`)).status).toBe(200)
    expect((await test()).body).toMatchObject({ success: false, reason: 'inside_address' })
    const synced = await sync()
    expect(JSON.stringify(synced.body)).toContain(LOOPBACK)
    expect(inside.heard).toEqual([])
    const runs = await app.stack.sql('select result from public.job_runs')
    expect(JSON.stringify(runs)).toContain(LOOPBACK)
    expect(JSON.stringify(runs)).not.toContain('root:x')
  })

  it('is not connected to by the assistant', async () => {
    expect((await put('ai', `https://rebind.example:${inside.port}/v1`)).status).toBe(200)
    expect((await chat()).body.content).toBe(
      '❌ Error: La dirección del proveedor lleva a este mismo servidor',
    )
    const tried = await boss.request('POST', '/api/integrations/ai/test').then(answer)
    expect(tried.body).toMatchObject({ success: false, reason: 'inside_address' })
    expect(inside.heard).toEqual([])
  })

  it('is not connected to for messages', async () => {
    const { twilioProvider } = await import('@/lib/messaging/twilio')
    const { resendProvider } = await import('@/lib/messaging/resend')
    const baseUrl = `https://rebind.example:${inside.port}`
    dns.answers.set('rebind.example', [['127.0.0.1']])
    const message = {
      id: 'm1',
      channel: 'sms',
      recipient: '+34600000000',
      content: { subject: 'x', body: 'x' },
      idempotencyKey: 'm1',
    } as const
    const twilio = twilioProvider({
      accountSid: TWILIO.account_sid,
      authToken: 't',
      from: '+34900000001',
      baseUrl,
      statusCallback: null,
    })
    const resend = resendProvider({ apiKey: 'k', fromEmail: RESEND.from_email, fromName: null, baseUrl })
    const gate = undefined as never
    for (const provider of [twilio, resend])
      expect(await provider.send([message], gate)).toEqual([
        { kind: 'retryable', reason: 'provider_unreachable' },
      ])
    expect(inside.heard).toEqual([])
  })

  it('is refused in a row written behind the app, in any notation', async () => {
    for (const base_url of [
      `https://127.0.0.2:${inside.port}`,
      'https://[::ffff:7f00:1]',
      'https://2852039166',
    ]) {
      await connectAi(app.stack, group, { base_url })
      expect((await chat()).body.content).toMatch(/^❌ Error: La dirección del proveedor lleva a/)
    }
    expect(inside.heard).toEqual([])
  })
})

describe('the connection', () => {
  const look = (allowLoopback: boolean, host: string, options: Parameters<LookupFunction>[1] = {}) =>
    new Promise((resolve, reject) =>
      guardedLookup(allowLoopback)(host, options, (error, address, family) =>
        error ? reject(error) : resolve([address, family]),
      ),
    )

  it('is made to the IPs that were checked: a name is resolved once', async () => {
    dns.answers.set('pms.example', [['203.0.114.1', '2606:4700::1'], ['127.0.0.1']])
    expect(await look(false, 'pms.example', { all: true })).toEqual([
      [
        { address: '203.0.114.1', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
      undefined,
    ])
    expect(dns.asked).toEqual(['pms.example'])
    await expect(look(false, 'pms.example')).rejects.toMatchObject({ reason: LOOPBACK })
  })

  it('keeps to the asked family', async () => {
    dns.answers.set('pms.example', [['203.0.114.1', '2606:4700::1']])
    expect(await look(false, 'pms.example', { family: 6 })).toEqual(['2606:4700::1', 6])
    expect(await look(false, 'pms.example', {})).toEqual(['203.0.114.1', 4])
  })

  it('to loopback needs the setting and loopback’s own name', async () => {
    dns.answers.set('pms.example', [['127.0.0.1']])
    await expect(look(true, 'pms.example')).rejects.toMatchObject({ reason: LOOPBACK })
    await expect(look(false, 'localhost')).rejects.toMatchObject({ reason: LOOPBACK })
    expect(await look(true, 'localhost')).toEqual(['127.0.0.1', 4])
    expect(() => safeBaseUrl('http://127.0.0.1:9', false)).toThrow(refusedAs(SCHEME))
    expect(() => safeBaseUrl('https://localhost', false)).toThrow(refusedAs(INTERNAL))
    expect(() => safeBaseUrl('https://[::1]', false)).toThrow(refusedAs(LOOPBACK))
  })

  it('follows no redirect, inside or elsewhere', async () => {
    const server = createServer((_, response) =>
      response.writeHead(307, { location: `http://localhost:${inside.port}/secret` }).end(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(outgoingFetch(1000)(url, { redirect: 'follow' })).rejects.toThrow()
    server.closeAllConnections()
    server.close()
    expect(inside.heard).toEqual([])
  })

  it('takes no IP that is not written as one', () => {
    for (const ip of ['', '1.2.3', 'pms.example', '203.0.114.1/8'])
      expect([ip, ipRefusal(ip)]).not.toEqual([ip, null])
    expect(ipRefusal('8.8.8.8')).toBeNull()
    expect(ipRefusal('2606:4700::1111')).toBeNull()
  })
})

it('what an inner or outer service answered is in no answer and no row', { timeout: 90_000 }, async () => {
  // On loopback, which the tests allow: as if the guard had failed.
  const url = `http://127.0.0.1:${inside.port}`
  const server = inside.server
  server.removeAllListeners('request')
  const bodies = [
    JSON.stringify({ resp: 0, error: 'root:x:0:0 inside' }),
    JSON.stringify({ error: 'root:x:0:0 inside' }),
    JSON.stringify('root:x:0:0 inside'),
    'root:x:0:0 inside',
  ]
  for (const status of [200, 400, 502])
    for (const body of status === 502 ? bodies.slice(0, 1) : bodies) {
      server.removeAllListeners('request')
      server.on('request', (_, response) => response.writeHead(status).end(body))
      await app.stack.sql(emptyTables('rate_limits'))
      await boss.request('PUT', '/api/integrations/pms', {
        body: { is_enabled: true, config: { api_key: PMS_KEY, base_url: url } },
      })
      await connectAi(app.stack, group, { base_url: `${url}/v1` })
      await connect(app.stack, group.id, 'twilio', TWILIO)
      const answers = [
        await boss.request('POST', '/api/integrations/pms/test').then(answer),
        await sync(),
        await boss.request('POST', '/api/ai/chat', { body: { message: 'Hola' } }).then(answer),
      ]
      expect(JSON.stringify(answers)).not.toContain('root:x')
    }
  const [{ rows } = { rows: '' }] = await app.stack.sql<{ rows: string }>(
    `select string_agg(r::text, ' ') || (select string_agg(l::text, ' ') from public.locations l) as rows from public.job_runs r`,
  )
  expect(rows).not.toContain('root:x')
  expect(rows).toContain('the PMS')
})
