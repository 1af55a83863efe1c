import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkPms } from '@/lib/pms/check'
import type { Fault } from '../fakes/pms/faults'
import { type PmsSimulator, startPmsSimulator } from '../fakes/pms/server'
import type { ExternalRow, TruthRow, World } from '../fakes/pms/world'

const KEY = 'clave-/5c1f$ü'
const TODAY = '2026-11-26'
const YESTERDAY = '2026-11-25'

let pms: PmsSimulator
/** What the PMS has, by the day that is asked for. */
let days: Record<string, object[]> = {}
const truth = (_: string, date: string) => (days[date] ?? []).map((row) => ({ row }) as TruthRow)
const world: World = {
  seed: 'check',
  venues: [{ slug: 'casa-lumbre', name: 'Casa Lumbre', timezone: 'Europe/Madrid', shape: 'external' }],
  people: [],
  day: (slug, date) => truth(slug, date).map(({ row }) => row),
  truth,
}

beforeAll(async () => {
  pms = await startPmsSimulator({ world, apiKey: KEY })
})
beforeEach(() => {
  pms.clearFaults()
  pms.ledger.clear()
  days = {}
})
afterAll(() => pms?.close())

const check = (changes: Partial<Parameters<typeof checkPms>[0]> = {}, venue = 'casa-lumbre') =>
  checkPms({ baseUrl: pms.url, apiKey: KEY, timeoutMs: 5000, allowLoopback: true, ...changes }, venue, TODAY)
const answers = (body: string, rest: Omit<Fault, 'kind'> = {}) =>
  pms.setFault('casa-lumbre', { kind: 'answer', body, ...rest })
const row = (id: number | string, changes: Partial<ExternalRow> = {}) => ({
  id: String(id),
  date: TODAY,
  time: '21:00',
  client_name: 'Vera Paz',
  client_email: 'vera.paz@correo.example',
  pax: 2,
  state: '1',
  ...changes,
})
const asked = () => pms.ledger.entries.map(({ from, to, page }) => [from, to, page])
const NONE = { pending: 0, confirmed: 0, seated: 0, completed: 0, cancelled: 0, no_show: 0, unknown: 0 }

/** A block of docs/pms.md, by the words behind its fence. */
function example(name: string): string {
  const found = readFileSync('docs/pms.md', 'utf8').split(`\`\`\`${name}\n`)[1]?.split('\n```')[0]
  if (!found) throw new Error(`docs/pms.md has no ${name}`)
  return found
}

describe('what a check understands', () => {
  it.each([
    ['json first-shape', 'client_fields', '77'],
    ['json second-shape', 'booking_fields', 'waiting'],
  ])('of the page’s example %s is what the page says', async (name, shape, unknown) => {
    answers(example(name))
    expect(await check()).toEqual({
      success: true,
      details: {
        venue: 'casa-lumbre',
        day: TODAY,
        shape,
        pages: 1,
        bookings: 4,
        by_status: { ...NONE, confirmed: 1, seated: 1, no_show: 1, unknown: 1 },
        unknown_statuses: [{ value: unknown, count: 1 }],
        covers: 9,
        without_contact: 1,
        first: '14:30',
        last: '00:40',
        unreadable: [],
        other_days: 0,
        repeated: 0,
      },
    })
  })

  it('of a day without bookings is the last day of the week before that has some', async () => {
    days = {
      '2026-11-21': [row(1, { date: '2026-11-21' })],
      [YESTERDAY]: [row(2, { date: YESTERDAY, pax: 5 })],
    }
    expect(await check()).toMatchObject({
      success: true,
      details: { day: YESTERDAY, bookings: 1, covers: 5 },
    })
    expect(asked()).toEqual([
      [TODAY, TODAY, 0],
      ['2026-11-19', YESTERDAY, 0],
    ])
  })

  it('of a week without bookings is that there are none', async () => {
    const details = { day: TODAY, shape: null, bookings: 0, by_status: NONE, first: null, last: null }
    expect(await check()).toMatchObject({ success: true, details })
  })

  it('names what does not fit beside what does', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map((id) => row(id, { state: `estado ${id}` }))
    days = { [TODAY]: [...rows, row(6), row(7, { state: 'estado 6' }), { ...row(8), booking_id: '8' }] }
    pms.setFault('casa-lumbre', { kind: 'malformed_rows' })
    const { details } = await check()
    expect(details).toMatchObject({
      // The simulator's malformed rows add two that can be read: one of status 77, one with odd notes.
      bookings: 10,
      shape: 'mixed',
      repeated: 1,
      by_status: { ...NONE, confirmed: 2, unknown: 8 },
      without_contact: 2,
    })
    expect(details?.unknown_statuses).toHaveLength(5)
    expect(details?.unknown_statuses[0]).toEqual({ value: 'estado 6', count: 2 })
    const unreadable = { no_id: 1, bad_date: 1, bad_time: 1, bad_party_size: 1, not_an_object: 2 }
    expect(
      Object.fromEntries(details?.unreadable.map(({ problem, count }) => [problem, count]) ?? []),
    ).toEqual(unreadable)
  })

  it('goes over pages, and ends where a PMS does not count them', async () => {
    days = { [TODAY]: Array.from({ length: 1001 }, (_, id) => row(id)) }
    expect(await check()).toMatchObject({ details: { pages: 2, bookings: 1001, repeated: 0 } })
    answers(JSON.stringify({ reservs: days[TODAY]?.slice(0, 1000) }))
    expect(await check()).toMatchObject({ details: { pages: 5, bookings: 1000, repeated: 4000 } })
  })

  it('has nothing of a guest, not even of rows that cannot be read', async () => {
    days = { [TODAY]: [row(1), row('', { client_phone: '+34600111222', notes: 'Alergia: nueces' })] }
    const outcome = JSON.stringify(await check())
    for (const personal of ['Vera', 'vera.paz', '600111222', 'nueces'])
      expect(outcome).not.toContain(personal)
  })
})

describe('why a check fails', () => {
  it.each<[string, Fault]>([
    ['bad_key', { kind: 'error', status: 401 }],
    ['bad_key', { kind: 'error', status: 403 }],
    ['bad_key', { kind: 'answer', body: '{"resp":0,"error":"Invalid API key"}' }],
    ['unknown_venue', { kind: 'refused' }],
    ['refused', { kind: 'answer', body: '{"resp":0,"error":"No"}' }],
    ['not_found', { kind: 'error', status: 404 }],
    ['http_status', { kind: 'error', status: 405 }],
    ['http_status', { kind: 'error', status: 503 }],
    ['rate_limited', { kind: 'rate_limit', retryAfter: 1 }],
    ['not_json', { kind: 'html' }],
    ['not_json', { kind: 'invalid_json' }],
    ['not_reservations', { kind: 'answer', body: '{"bookings":[]}' }],
    ['not_reservations', { kind: 'answer', body: '{"resp":1,"reservs":"none"}' }],
    ['not_reservations', { kind: 'answer', body: '[]' }],
    ['too_large', { kind: 'answer', body: `{"reservs":["${'x'.repeat(17 * 1024 * 1024)}"]}` }],
    ['unreachable', { kind: 'reset' }],
    ['unreadable_rows', { kind: 'answer', body: '{"reservs":[{"id":"1"},"2"]}' }],
    [
      'wrong_days',
      { kind: 'answer', body: '{"reservs":[{"id":"1","date":"2025-01-01","time":"21:00","pax":2}]}' },
    ],
  ])('%s', async (reason, fault) => {
    pms.setFault('casa-lumbre', fault)
    const outcome = await check()
    expect(outcome).toMatchObject({ success: false, reason, error: expect.stringMatching(/\S/) })
    // Asked once: a person waits.
    expect(pms.ledger.entries).toHaveLength(1)
  })

  it('is the key, the restaurant, the time or the address', async () => {
    expect(await check({ apiKey: 'otra' })).toMatchObject({ success: false, reason: 'bad_key' })
    expect(await check({}, 'no-hay')).toMatchObject({ success: false, reason: 'unknown_venue' })
    pms.setFault('casa-lumbre', { kind: 'hang' })
    expect(await check({ timeoutMs: 50 })).toMatchObject({ success: false, reason: 'timeout' })
    expect(await check({ allowLoopback: false })).toMatchObject({ success: false, reason: 'bad_base_url' })
    for (const baseUrl of ['https://169.254.169.254', 'https://10.0.0.1', 'https://localhost'])
      expect(await check({ baseUrl, allowLoopback: false })).toMatchObject({ reason: 'inside_address' })
  })

  it('follows no redirect, which would carry the key to another host', async () => {
    const heard: string[] = []
    const server = createServer((request, response) => {
      heard.push(request.url ?? '')
      response.writeHead(302, { Location: `${pms.url}${request.url}` }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      expect(await check({ baseUrl })).toMatchObject({ success: false, reason: 'unreachable' })
      expect(heard).toHaveLength(1)
      expect(pms.ledger.requests).toBe(0)
    } finally {
      server.close()
    }
  })
})

describe('the page’s adapter', () => {
  const bookings = [
    {
      ref: 'x1',
      starts: `${TODAY}T14:00`,
      guest: { name: 'Ana Gil', phone: '600111222' },
      people: 4,
      state: 'booked',
    },
    { ref: 'x2', starts: `${TODAY}T21:30`, guest: null, people: 2, state: 'absent' },
    { ref: 'x3', starts: `${TODAY}T22:00`, people: 3, state: 'maybe' },
  ]
  const other = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://other.example')
    const asked = url.pathname === '/venues/casa%20lumbre/bookings' && url.searchParams
    response.statusCode = asked ? 200 : 404
    response.end(
      JSON.stringify(bookings.filter(({ starts }) => asked && starts.startsWith(asked.get('from') ?? '-'))),
    )
  })
  let adapter: ChildProcess | undefined
  let baseUrl = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const OTHER_SYSTEM = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const program = ['--input-type=module', '-e', example('js adapter')]
    const child = spawn(process.execPath, program, {
      env: { ...process.env, ADAPTER_KEY: KEY, OTHER_SYSTEM, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    adapter = child
    const [line] = await once(child.stdout, 'data')
    baseUrl = `http://127.0.0.1:${/listening on (\d+)/.exec(String(line))?.[1]}`
  })
  afterAll(() => {
    adapter?.kill()
    other.close()
  })

  it('brings another system’s bookings into one of the shapes', async () => {
    expect(await check({ baseUrl }, 'casa lumbre')).toMatchObject({
      success: true,
      details: {
        shape: 'booking_fields',
        bookings: 3,
        covers: 7,
        by_status: { ...NONE, confirmed: 1, no_show: 1, unknown: 1 },
        unknown_statuses: [{ value: 'maybe', count: 1 }],
        without_contact: 2,
        first: '14:00',
        last: '22:00',
      },
    })
  })

  it('says what is wrong so that a check tells it', async () => {
    expect(await check({ baseUrl, apiKey: 'otra' }, 'casa lumbre')).toMatchObject({ reason: 'bad_key' })
    expect(await check({ baseUrl }, 'no-hay')).toMatchObject({ reason: 'unknown_venue' })
    expect(await check({ baseUrl: `${baseUrl}/v2` })).toMatchObject({ reason: 'not_found' })
  })
})
