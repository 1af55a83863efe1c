import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { localDate } from '@/lib/dates'
import { connectPms, PMS_KEY } from '../factories/group'
import type { Fault } from '../fakes/pms/faults'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type PmsGroup, startPmsGroup } from '../support/pms-group'
import { answer, signedIn } from '../support/sign-in'
import { cancelLargeInserts } from '../support/slow-table'

let app: TestApp
let place: PmsGroup
let logged: string[] = []

beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'debug' })
  place = await startPmsGroup(app, ['Alfa', 'Bravo', 'Charlie'])
})

beforeEach(() => {
  logged = []
  const keep = (chunk: unknown) => {
    logged.push(String(chunk))
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  vi.spyOn(process.stderr, 'write').mockImplementation(keep)
})

afterEach(async () => {
  vi.restoreAllMocks()
  place.pms.clearFaults()
  place.pms.ledger.clear()
  await app.stack.sql(emptyTables('reservations', 'customers', 'job_runs'))
})

afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

/** Syncs, and checks what holds whatever happens: the key and the PMS' address are nowhere to be seen. */
async function sync(): Promise<{
  status: number
  body: Record<string, never> & { errors: string[]; synced: number; error?: string }
}> {
  const headers = { authorization: `Bearer ${app.cronSecret}` }
  const response = await app.client().request('POST', '/api/sync', { headers })
  const text = await response.text()
  const requestId = response.headers.get('x-request-id')
  const lines = logged.filter((line) => line.startsWith('{'))
  expect(lines.filter((line) => JSON.parse(line).requestId !== requestId)).toEqual([])
  const stored = JSON.stringify(await app.stack.sql('select * from public.job_runs'))
  for (const place_ of [text, stored, logged.join('')]) {
    for (const secret of [PMS_KEY, encodeURIComponent(PMS_KEY), place.pms.url, 'get_reservs']) {
      expect(place_).not.toContain(secret)
    }
  }
  return { status: response.status, body: JSON.parse(text) }
}

/** What is saved for a location, to compare with what the simulator says it served there. */
async function saved(slug: string): Promise<string[]> {
  const rows = await app.stack.sql<{ external_id: string }>(
    'select external_id from public.reservations where location_id = $1 order by 1',
    [place.locationId(slug)],
  )
  return rows.map((row) => row.external_id)
}

function servedIds(slug: string): string[] {
  const entries = place.pms.ledger.entries.filter((entry) => entry.slug === slug)
  return [...new Set(entries.flatMap((entry) => entry.truths.map((truth) => truth.externalId)))].sort()
}

async function expectOthersComplete(): Promise<void> {
  for (const slug of ['alfa', 'charlie']) {
    expect(servedIds(slug).length).toBeGreaterThan(20)
    expect(await saved(slug)).toEqual(servedIds(slug))
  }
}

const broken: [string, Fault, string][] = [
  ['resets the connection', { kind: 'reset' }, 'Bravo: the PMS could not be reached'],
  [
    'answers 429 and stays so',
    { kind: 'rate_limit', retryAfter: 0 },
    'Bravo: the PMS asks to slow down (429)',
  ],
  [
    'wants to be left alone for an hour',
    { kind: 'rate_limit', retryAfter: 3600 },
    'Bravo: the PMS asks to slow down (429)',
  ],
  ['answers 500', { kind: 'error' }, 'Bravo: the PMS answered 500'],
  ['answers 404', { kind: 'error', status: 404 }, 'Bravo: the PMS answered 404'],
  ['answers broken JSON', { kind: 'invalid_json' }, 'Bravo: the PMS did not answer with JSON'],
  ['answers HTML', { kind: 'html' }, 'Bravo: the PMS did not answer with JSON'],
  ['refuses with resp 0', { kind: 'refused' }, 'Bravo: the PMS refused: it does not serve this location'],
]

describe('a location whose PMS', () => {
  async function expectOnlyBravoFails(line: string): Promise<void> {
    const { status, body } = await sync()
    expect(status).toBe(200)
    expect(body.errors).toEqual([line])
    await expectOthersComplete()
    expect(await saved('bravo')).toEqual([])
    const [run] = await app.stack.sql<{ status: string }>('select status from public.job_runs')
    expect(run?.status).toBe('partial')
  }

  it.each(broken)('%s is named, and the others are complete', async (_, fault, line) => {
    place.pms.setFault('bravo', fault)
    await expectOnlyBravoFails(line)
  })

  it('sends an e-mail that is none has its bookings named once, and saved', async () => {
    const date = localDate(new Date(), 'Europe/Madrid')
    const rows = [
      { booking_id: 'b1', booking_date: date, booking_time: '21:00', party_size: 2, status: 'confirmed' },
      { booking_id: 'b2', booking_date: date, booking_time: '21:00', party_size: 2, status: 'confirmed' },
    ].map((row, n) => ({
      ...row,
      customer_name: 'Ana',
      customer_email: n === 0 ? 'ana@example' : 'bea@example.com',
    }))
    place.pms.setFault('bravo', { kind: 'malformed_rows', rows })
    expect((await sync()).body.errors).toEqual(['Bravo: reservation b1: not an e-mail address'])
    expect(await saved('bravo')).toEqual(expect.arrayContaining(['b1', 'b2']))
    expect((await sync()).body.errors).toEqual([])
  })

  it('hangs is named once its time is up, and the others are complete', async () => {
    place.pms.setFault('bravo', { kind: 'hang' })
    // The time of the newest request is up once it is Bravo's, however fast the machine is: locations come one by one.
    const limits: AbortController[] = []
    const real = AbortSignal.timeout
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms !== 15_000) return real.call(AbortSignal, ms)
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    })
    const failing = expectOnlyBravoFails('Bravo: the PMS did not answer within 15 s')
    await vi.waitFor(
      () => expect(place.pms.ledger.entries.map(({ slug }) => slug)).toContain('bravo'),
      60_000,
    )
    limits.at(-1)?.abort()
    await failing
  })

  const healing: [string, Fault][] = [
    ['is slow', { kind: 'latency', ms: 300 }],
    ['resets twice', { kind: 'reset', times: 2 }],
    ['answers 500 twice', { kind: 'error', times: 2 }],
    ['answers 429 twice', { kind: 'rate_limit', retryAfter: 1, times: 2 }],
  ]
  it.each(healing)('%s is waited for and complete', async (_, fault) => {
    place.pms.setFault('bravo', fault)
    const { body } = await sync()
    expect(body.errors).toEqual([])
    await expectOthersComplete()
    expect(await saved('bravo')).toEqual(servedIds('bravo'))
  })

  it('has malformed rows loses only those, each named with its reason', async () => {
    place.pms.setFault('bravo', { kind: 'malformed_rows' })
    const { body } = await sync()
    expect(body.errors.map((line) => line.replace(/#\d+/, '#n'))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Bravo: reservation #n: no id$/),
        expect.stringMatching(/^Bravo: reservation bad-date-bravo: not a date "/),
        expect.stringMatching(/^Bravo: reservation bad-time-bravo: not a time "25:99"$/),
        expect.stringMatching(/^Bravo: reservation bad-size-bravo: not a party size "muchos"$/),
        expect.stringMatching(/^Bravo: reservation #n: not a reservation$/),
        expect.stringMatching(/^Bravo: reservation unknown-status-bravo: unknown status "77"$/),
      ]),
    )
    await expectOthersComplete()
    const good = servedIds('bravo')
    expect(good.length).toBeGreaterThan(20)
    expect((await saved('bravo')).sort()).toEqual([...good, 'unknown-status-bravo', 'bad-notes-bravo'].sort())
    const [unknown] = await app.stack.sql(
      `select status, pms_status from public.reservations where external_id = 'unknown-status-bravo'`,
    )
    expect(unknown).toEqual({ status: 'pending', pms_status: '77' })
  })

  it('has more than one page is read to the end', async () => {
    place.pms.setFault('bravo', { kind: 'large', rows: 2500 })
    const { body } = await sync()
    expect(body.errors).toEqual([])
    expect(
      place.pms.ledger.entries.filter((entry) => entry.slug === 'bravo').map((entry) => entry.page),
    ).toEqual([0, 1, 2])
    const [row] = await app.stack.sql<{ n: number }>(
      'select count(*)::int as n from public.reservations where location_id = $1',
      [place.locationId('bravo')],
    )
    expect(row?.n).toBe(2500)
  })

  // The embedded database has no limit of time.
  it.runIf(process.env.STACK === 'postgres')(
    'has more rows than the database saves in its time is saved in parts',
    async () => {
      const fast = await cancelLargeInserts(app.stack, 'reservations')
      place.pms.setFault('bravo', { kind: 'large', rows: 2500 })
      const { body } = await sync()
      await fast()
      expect(body.errors).toEqual([])
      expect(await saved('bravo')).toHaveLength(2500)
    },
  )
})

describe('a location whose reservations the database refuses', () => {
  it('is named without details, and the others are complete', async () => {
    // Not for a value of a row: the database itself is out of order, and halving would not help.
    await app.stack.sql(
      `create function private.broken() returns trigger language plpgsql as $$
       begin
         if new.location_id = '${place.locationId('bravo')}' then raise exception 'out of order' using errcode = '58030'; end if;
         return new;
       end $$`,
    )
    await app.stack.sql(
      'create trigger broken before insert on public.reservations for each row execute function private.broken()',
    )
    const { status, body } = await sync()
    await app.stack.sql('drop function private.broken() cascade')
    expect(status).toBe(200)
    expect(body.errors).toEqual(['Bravo: the reservations could not be saved'])
    await expectOthersComplete()
    expect(logged.join('')).toContain('reservations not saved')
  })
})

describe('the whole PMS', () => {
  it('with a wrong key: every location says so, nothing is lost, and it is a failure', async () => {
    await sync()
    const before = await saved('alfa')
    await connectPms(app.stack, place.group.id, place.pms.url, 'another-key')
    expect(await sync()).toEqual({
      status: 500,
      body: {
        error:
          'No location could be synchronised: Alfa: the PMS refused: it does not accept the key; ' +
          'Bravo: the PMS refused: it does not accept the key; Charlie: the PMS refused: it does not accept the key',
      },
    })
    expect(await saved('alfa')).toEqual(before)
    await connectPms(app.stack, place.group.id, place.pms.url)
  })

  it('under an address that is not https (nor loopback) is not called', async () => {
    await connectPms(app.stack, place.group.id, 'http://pms.example')
    const { status, body } = await sync()
    expect(status).toBe(500)
    expect(body.error).toContain('Alfa: the PMS address must start with https://')
    await connectPms(app.stack, place.group.id, place.pms.url)
  })

  describe('that fails at every location', () => {
    const WHY =
      'No location could be synchronised: Alfa: the PMS answered 500; Bravo: the PMS answered 500; Charlie: '
    const fail = () => {
      for (const slug of ['alfa', 'bravo']) place.pms.setFault(slug, { kind: 'error' })
      place.pms.setFault('charlie', { kind: 'html' })
    }
    const error = `${WHY}the PMS did not answer with JSON`
    const headers = () => ({ authorization: `Bearer ${app.cronSecret}` })
    const failedRuns = () => app.stack.sql('select status from public.job_runs where job = $1', ['sync'])

    it('fails POST /api/sync, for the scheduler and for a person, and the run', async () => {
      fail()
      expect(await sync()).toEqual({ status: 500, body: { error } })
      const client = await signedIn(await place.group.person('operaciones'))
      const answered = await client.request('POST', '/api/sync', { body: { source: 'pms' } })
      expect(await answer(answered)).toEqual({ status: 500, body: { error } })
      expect(await failedRuns()).toEqual([{ status: 'failed' }, { status: 'failed' }])
    })

    it('fails cron/sync, and the master says so in both forms', async () => {
      fail()
      const ask = (path: string) => app.client().request('GET', path, { headers: headers() }).then(answer)
      expect(await ask('/api/cron/sync')).toEqual({ status: 500, body: { error } })
      const master = await ask('/api/cron/master')
      expect(master.status).toBe(200)
      expect(master.body.results[0]).toEqual({ endpoint: '/api/cron/sync', error })
      const parallel = await ask('/api/cron/master?mode=parallel')
      expect(parallel.body.tasks[0]).toEqual({ name: 'sync', status: 'error' })
      expect(await failedRuns()).toEqual(Array.from({ length: 3 }, () => ({ status: 'failed' })))
      for (const secret of [PMS_KEY, place.pms.url]) expect(logged.join('')).not.toContain(secret)
    })

    it('is no failure while one location still works, nor without any location', async () => {
      fail()
      place.pms.setFault('charlie', null)
      const { status, body } = await sync()
      expect([status, body.errors]).toEqual([
        200,
        ['Alfa: the PMS answered 500', 'Bravo: the PMS answered 500'],
      ])
      await app.stack.sql('update public.locations set is_active = false')
      expect(await sync()).toMatchObject({ status: 200, body: { synced: 0, locations: [], errors: [] } })
      await app.stack.sql('update public.locations set is_active = true')
    })
  })
})
