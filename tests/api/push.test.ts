import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import webPush from 'web-push'
import { waitForDetachedWork } from '@/lib/http/after'
import type { PushState } from '@/lib/push/schema'
import { sendPushNotices } from '@/lib/push/send'
import { stackClient } from '../factories/group'
import { type FakePush, startFakePush } from '../fakes/push/server'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

// A push service has a public name; the one of these tests answers on loopback.
const PUSH_ORIGIN = 'https://push.example'
const services = vi.hoisted(() => new Map<string, string>())
vi.mock('@/lib/outgoing/resolve', async (original) => {
  const { resolveHost } = await original<typeof import('@/lib/outgoing/resolve')>()
  return {
    resolveHost: async (name: string) =>
      services.has(`https://${name}`) ? [{ address: '93.184.215.14', family: 4 }] : resolveHost(name),
  }
})
vi.mock('@/lib/outgoing/fetch', async (original) => {
  const { outgoingFetch, ...others } = await original<typeof import('@/lib/outgoing/fetch')>()
  const throughTo: typeof outgoingFetch = (maxBytes, loopback) => (input, init) => {
    const { origin, pathname } = new URL(String(input))
    const service = loopback === false ? services.get(origin) : undefined
    return service ? fetch(service + pathname, init) : outgoingFetch(maxBytes, loopback)(input, init)
  }
  return { ...others, outgoingFetch: throughTo }
})

const PUSH = '/api/account/push'
const { publicKey, privateKey } = webPush.generateVAPIDKeys()
const VAPID = {
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: 'mailto:push@crm.example',
}
const ALL = ['vip_arrived', 'large_cancellation', 'failed_sync']

let g: Guests
let push: FakePush
/** Taps, and works everywhere. */
let host: Client
let norte: string
beforeAll(async () => {
  g = await startGuests(
    [
      { name: 'Norte', slug: 'norte' },
      { name: 'Sur', slug: 'sur' },
    ],
    VAPID,
  )
  push = await startFakePush(publicKey, PUSH_ORIGIN)
  services.set(PUSH_ORIGIN, push.url)
  host = await g.hire('operaciones')
  norte = g.places.Norte ?? ''
})
afterEach(async () => {
  vi.restoreAllMocks()
  push.setFault(null)
  push.pushed.length = push.requests.length = 0
  await g.sql(emptyTables('push_subscriptions', 'customers', 'reservations', 'private.service_taps'))
  await g.sql('delete from public.job_runs')
  expect(push.refusals.splice(0)).toEqual([])
})
afterAll(async () => {
  await push?.close()
  vi.doUnmock('@/lib/outgoing/resolve')
  vi.doUnmock('@/lib/outgoing/fetch')
  for (const name of Object.keys(VAPID)) delete process.env[name]
  await g?.app.close()
})

/** The client's browser asks for notices. */
async function subscribe(client: Client, kinds = ALL, device = push.subscribe(), language = 'es') {
  const saved = await g.ask(client, 'PUT', PUSH, { ...device, kinds, language })
  expect(saved.status).toBe(200)
  return { ...device, id: (saved.body.data as PushState).devices[0]?.id ?? '' }
}
const devicesOf = async (client: Client) =>
  ((await g.ask(client, 'GET', PUSH)).body.data as PushState).devices
const send = (now?: Date) =>
  sendPushNotices({ db: stackClient(g.app.stack, 'service'), signal: new AbortController().signal }, now)
/** Seconds from now, by the clock of the database, which writes when a notice is due and when it expires. */
async function later(seconds: number): Promise<Date> {
  const [{ epoch } = { epoch: 0 }] = await g.sql<{ epoch: number }>(
    'select extract(epoch from now())::float8 as epoch',
  )
  return new Date((epoch + seconds) * 1000)
}
const titles = () => push.pushed.map(({ payload }) => payload.title)

/** The service under way by the clock of the database, which decides what is news of today. */
async function today() {
  const [row] = await g.sql<{ day: string }>(
    `select private.current_service('Europe/Madrid', now())::text as day`,
  )
  return { date: String(row?.day), hour: '21:00' }
}
/** A guest of the tier has booked for today. */
async function booked(row: object = {}, tier = 'Oro', place = 'Norte') {
  const guest = { client_email: 'ana@correo.example', client_name: 'Ana Ruiz' }
  await g.sync([{ id: '1', status: 'confirmed', ...(await today()), pax: 4, ...guest, ...row }], place)
  await g.sql(
    `update public.customers c set loyalty_tier_id = t.id from public.loyalty_tiers t
     where t.organization_id = c.organization_id and t.name = $1`,
    [tier],
  )
  const [found] = await g.sql<{ id: string }>('select id::text from public.reservations')
  return found?.id ?? ''
}
async function tap(tapped: object, client = host, location_id = norte) {
  const key = randomUUID()
  const taps = [{ key, ...tapped }]
  expect((await g.ask(client, 'POST', '/api/service/taps', { location_id, taps })).status).toBe(200)
  await waitForDetachedWork()
  return key
}

describe('a device', () => {
  it('gets a notice to try it, encrypted for it alone and signed with the VAPID key', async () => {
    const manager = await g.hire('ceo')
    const { endpoint, id } = await subscribe(manager, ['vip_arrived'], undefined, 'en')
    expect(await g.ask(manager, 'GET', PUSH)).toEqual({
      status: 200,
      body: {
        data: {
          public_key: publicKey,
          devices: [
            {
              ...{ id, current: true, kinds: ['vip_arrived'], language: 'en', browser: null, system: null },
              ...{ created_at: expect.any(String), last_success_at: null },
            },
          ],
        },
      },
    })
    expect(await g.ask(manager, 'POST', `${PUSH}/${id}/test`)).toEqual({
      status: 200,
      body: { data: { outcome: 'sent' } },
    })
    expect(push.pushed).toMatchObject([
      {
        endpoint,
        urgency: 'high',
        payload: { title: 'Notices reach this device', lang: 'en', path: '/account' },
      },
    ])
    expect(push.pushed[0]?.ttl).toBeLessThanOrEqual(60)
    expect(await devicesOf(manager)).toMatchObject([{ last_success_at: expect.any(String) }])
  })

  it('leads to a push service on the internet, with a key of the curve', async () => {
    const { keys } = push.subscribe()
    const put = async (changes: object) =>
      (
        await g.ask(host, 'PUT', PUSH, {
          endpoint: push.origin,
          keys,
          kinds: ALL,
          language: 'es',
          ...changes,
        })
      ).body
    for (const endpoint of [
      'http://push.example/x',
      // Allowed to providers here; nobody configures a push service.
      push.url,
      push.url.replace('http:', 'https:'),
      'http://localhost:8080/x',
      'https://10.0.0.8/x',
      'https://169.254.169.254/latest',
      'https://[fd00::1]/x',
      'https://metadata.google.internal/x',
      'https://me:secret@push.example/x',
      'no address',
      `https://push.example/${'x'.repeat(1000)}`,
    ])
      expect(await put({ endpoint }), endpoint).toMatchObject({
        code: 'INVALID_INPUT',
        issues: [{ path: 'endpoint' }],
      })
    const off = Buffer.alloc(65, 4).toString('base64url')
    expect(await put({ keys: { ...keys, p256dh: off } })).toMatchObject({ issues: [{ path: 'keys.p256dh' }] })
    expect(await put({ keys: { ...keys, auth: 'short' } })).toMatchObject({ issues: [{ path: 'keys.auth' }] })
    expect(await put({ kinds: ['vip_arrived', 'vip_arrived'] })).toMatchObject({
      issues: [{ path: 'kinds' }],
    })
    expect(await devicesOf(host)).toEqual([])
  })

  it('is not connected to when its address turns out to lead inside', async () => {
    await subscribe(host)
    const [device] = await devicesOf(host)
    for (const endpoint of ['https://10.0.0.8/x', `${push.url.replace('http:', 'https:')}/x`]) {
      await g.sql('update public.push_subscriptions set endpoint = $1', [endpoint])
      expect((await g.ask(host, 'POST', `${PUSH}/${device?.id}/test`)).body).toEqual({
        data: { outcome: 'refused' },
      })
    }
  })

  it('is one a session, and goes to who uses the browser now; another’s address needs its keys', async () => {
    const [first, second] = [await g.hire('ceo'), await g.hire('marketing')]
    await subscribe(first)
    const device = await subscribe(first, ['failed_sync'])
    expect(await devicesOf(first)).toMatchObject([{ kinds: ['failed_sync'] }])
    const stolen = { endpoint: device.endpoint, keys: push.subscribe().keys, kinds: ALL, language: 'es' }
    expect(await g.ask(second, 'PUT', PUSH, stolen)).toMatchObject({
      status: 409,
      body: { code: 'PUSH_DEVICE_TAKEN' },
    })
    const { endpoint, keys } = device
    await subscribe(second, ALL, { endpoint, keys })
    expect([await devicesOf(first), (await devicesOf(second)).length]).toEqual([[], 1])
  })

  it('is removed by its owner, once', async () => {
    const owner = await g.hire('ceo')
    const { id } = await subscribe(owner)
    expect((await g.ask(owner, 'DELETE', `${PUSH}/${id}`)).status).toBe(204)
    expect((await g.ask(owner, 'DELETE', `${PUSH}/${id}`)).status).toBe(404)
  })

  it('goes when its push service does not know it any more', async () => {
    const { id, endpoint } = await subscribe(host)
    push.unsubscribe(endpoint)
    expect((await g.ask(host, 'POST', `${PUSH}/${id}/test`)).body).toEqual({ data: { outcome: 'gone' } })
    expect(await devicesOf(host)).toEqual([])
  })
})

describe('a VIP who arrives', () => {
  it('is sent once, with first name and initial, to people of the location, except the one who marked it', async () => {
    const [manager, waiter, elsewhere] = [
      await g.hire('ceo'),
      await g.hire('sala', 'Norte'),
      await g.hire('operaciones', 'Sur'),
    ]
    const reservation_id = await booked({ table_name: '12' })
    await subscribe(host)
    await subscribe(elsewhere)
    const wanted = [(await subscribe(manager)).endpoint, (await subscribe(waiter)).endpoint]
    await subscribe(await signedIn(await g.other.person('super_admin')))
    const arrive = await tap({ action: 'arrive', reservation_id })
    expect(push.pushed.map(({ endpoint }) => endpoint).sort()).toEqual(wanted.sort())
    const { payload } = push.pushed[0] as { payload: object }
    expect(payload).toEqual({
      title: 'Ha llegado Ana R., VIP · 4 personas',
      body: 'Norte, reserva de las 21:00, mesa 12',
      tag: `vip_arrived:${reservation_id}`,
      path: '/service',
      lang: 'es',
    })
    await tap({ action: 'undo', reservation_id, undoes: arrive })
    await tap({ action: 'seat', reservation_id })
    await send()
    expect(push.pushed).toHaveLength(2)
    expect(await g.sql('select distinct outcome, content from private.push_notices')).toEqual([
      { outcome: 'sent', content: {} },
    ])
  })

  it('is sent when the PMS seats them, for today only, and only to subscribers', async () => {
    const manager = await g.hire('ceo')
    await subscribe(manager, ['large_cancellation'])
    await booked()
    await booked({ status: 'seated' })
    await send()
    expect(push.requests).toEqual([])
    await subscribe(manager)
    await booked({ id: '2', date: '2026-05-02' })
    await booked({ id: '2', date: '2026-05-02', status: 'seated' })
    await booked({ id: '3' }, 'Plata')
    await booked({ id: '3', status: 'seated' }, 'Plata')
    await send()
    expect(push.requests).toEqual([])
    await booked({ id: '4' })
    await booked({ id: '4', status: 'seated' })
    await send()
    expect(titles()).toEqual(['Ha llegado Ana R., VIP · 4 personas'])
  })
})

describe('a large party that cancels', () => {
  it('is sent from eight guests on, for every way to cancel', async () => {
    await subscribe(await g.hire('ceo'), ALL, undefined, 'en')
    const sevens = await booked({ pax: 7 })
    await g.ask(host, 'PATCH', `/api/reservations/${sevens}`, { status: 'cancelled' })
    await booked({ id: '2', pax: 8, client_name: 'GRUPO Pérez', client_email: 'p@correo.example' })
    await booked({
      id: '2',
      pax: 8,
      client_name: 'GRUPO Pérez',
      client_email: 'p@correo.example',
      status: 'cancelled',
    })
    await waitForDetachedWork()
    await send()
    expect(push.pushed).toMatchObject([
      { urgency: 'normal', payload: { title: 'A party of 8 has cancelled', path: '/reservations' } },
    ])
    expect(push.pushed[0]?.payload.body).toMatch(/^Grupo P\., .+ at 21:00, Norte$/)
  })
})

describe('a sync that fails', () => {
  const run = async (status: string, result: object) => {
    const [row] = await g.sql<{ id: string }>(
      `insert into public.job_runs (organization_id, job, started_at) values ($1, 'sync', clock_timestamp()) returning id::text`,
      [g.group.id],
    )
    await g.sql('update public.job_runs set status = $2, result = $3, finished_at = now() where id = $1', [
      row?.id,
      status,
      JSON.stringify(result),
    ])
    await send()
    return push.pushed.splice(0).map(({ endpoint }) => endpoint)
  }
  const at = (...failed: string[]) => ({
    locations: ['Norte', 'Sur'].map((name) => ({ id: g.places[name], failed: failed.includes(name) })),
  })

  it('is sent when it begins, for one’s own locations', async () => {
    const [everywhere, north] = [
      (await subscribe(await g.hire('ceo'))).endpoint,
      (await subscribe(await g.hire('operaciones', 'Norte'))).endpoint,
    ]
    expect(await run('succeeded', at())).toEqual([])
    expect(await run('partial', { ...at(), issues: [{ code: 'x' }] })).toEqual([])
    expect(await run('partial', at('Sur'))).toEqual([everywhere])
    expect(await run('partial', at('Sur'))).toEqual([])
    expect((await run('failed', at('Norte', 'Sur'))).sort()).toEqual([everywhere, north].sort())
    expect(await run('succeeded', at())).toEqual([])
    expect((await run('failed', { error: 'Interrupted' })).sort()).toEqual([everywhere, north].sort())
    expect(await run('failed', { error: 'Interrupted' })).toEqual([])
  })
})

describe('a push service that is dead', () => {
  it('loses nothing: the notice goes once it answers, once', async () => {
    await subscribe(await g.hire('ceo'))
    const reservation_id = await booked()
    push.setFault({ status: 503, headers: { 'retry-after': '120' } })
    await tap({ action: 'arrive', reservation_id })
    expect([push.requests.length, push.pushed.length]).toEqual([1, 0])
    push.setFault(null)
    await send(await later(110))
    expect(push.pushed).toEqual([])
    const due = await later(130)
    await Promise.all([send(due), send(due), send(due)])
    await send(await later(600))
    expect(titles()).toEqual(['Ha llegado Ana R., VIP · 4 personas'])
  })

  it('is waited for ten seconds, and gets no old notices', async () => {
    await subscribe(await g.hire('ceo'))
    const real = AbortSignal.timeout.bind(AbortSignal)
    // The ten seconds are over once the request has arrived, however fast the machine is.
    const over = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout')
    limit.mockImplementation((ms) => (ms === 10_000 ? over.signal : real(ms)))
    push.setFault('hang')
    const reservation_id = await booked()
    const tapped = tap({ action: 'arrive', reservation_id })
    await vi.waitFor(() => expect(push.requests).toHaveLength(1), 60_000)
    over.abort()
    await tapped
    limit.mockRestore()
    expect(push.requests).toHaveLength(1)
    push.setFault(null)
    await send(await later(3_700))
    expect(push.requests).toHaveLength(1)
    expect(await g.sql('select outcome, content from private.push_notices')).toEqual([
      { outcome: 'expired', content: {} },
    ])
  })
})

describe('who left', () => {
  const news = async (id: string) => {
    const reservation_id = await booked({ id })
    await g.sql(`update public.reservations set arrived_at = now() where id = $1`, [reservation_id])
  }
  const rows = async () => (await g.sql('select 1 from public.push_subscriptions')).length

  it('by signing out gets no more notices, not even waiting ones', async () => {
    const manager = await g.hire('ceo')
    await subscribe(manager)
    await news('1')
    expect((await manager.request('POST', '/api/auth/sign-out')).status).toBe(200)
    expect(await send()).toMatchObject({ sent: 0 })
    expect([await rows(), push.requests]).toEqual([0, []])
  })

  it('by an end of the session, a removal or another role loses the device at once', async () => {
    const boss = await g.hire('super_admin')
    for (const leave of [
      (id: string) => g.ask(boss, 'POST', `/api/team/${id}/end-sessions`),
      (id: string) => g.ask(boss, 'PATCH', `/api/team/${id}`, { role: 'rrhh' }),
      (id: string) => g.ask(boss, 'DELETE', `/api/team/${id}`),
    ]) {
      const person = await g.group.person('ceo')
      await subscribe(await signedIn(person))
      expect(await rows()).toBe(1)
      expect((await leave(person.id)).status).toBeLessThan(300)
      expect(await rows()).toBe(0)
    }
  })

  it('a location gets no waiting notices about it', async () => {
    const person = await g.group.person('operaciones', [norte, g.places.Sur ?? ''])
    await subscribe(await signedIn(person))
    await news('1')
    await g.sql('delete from public.profile_locations where profile_id = $1 and location_id = $2', [
      person.id,
      norte,
    ])
    expect([await send(), push.requests]).toMatchObject([{ sent: 0 }, []])
  })

  it('no notice about an erased guest is sent', async () => {
    await subscribe(await g.hire('ceo'))
    await news('1')
    const [guest] = await g.sql<{ id: string }>('select id::text from public.customers')
    expect((await g.ask(host, 'DELETE', `/api/customers/${guest?.id}`)).status).toBe(204)
    expect(await g.sql('select 1 from private.push_notices')).toEqual([])
  })
})

it('is tidied up: devices of sessions that are over, and notices of last week', async () => {
  const { id } = await subscribe(host)
  await g.ask(host, 'POST', `${PUSH}/${id}/test`)
  await g.sql(`update private.push_notices set done_at = now() - interval '8 days'`)
  const tidy = () => stackClient(g.app.stack, 'service').rpc('tidy_up', { p_organization: g.group.id })
  await tidy()
  expect(await g.sql('select 1 from private.push_notices')).toEqual([])
  expect(await devicesOf(host)).toHaveLength(1)
  await g.sql('update public.push_subscriptions set session_id = gen_random_uuid()')
  await tidy()
  expect(await g.sql('select 1 from public.push_subscriptions')).toEqual([])
})
