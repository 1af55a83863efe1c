import { setImmediate } from 'node:timers/promises'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { afterEach, describe, expect, it } from 'vitest'
import { SEED_BRANDS } from '@/lib/organization/seed'
import { bulkRows, bulkTruths } from '../fakes/pms/bulk'
import { addDays, weekday } from '../fakes/pms/calendar'
import { DEMO_VENUES } from '../fakes/pms/demo-venues'
import { createDemoWorld } from '../fakes/pms/demo-world'
import type { Fault } from '../fakes/pms/faults'
import { createPeople } from '../fakes/pms/people'
import { type PmsSimulator, startPmsSimulator } from '../fakes/pms/server'
import type { ExternalRow, MappedRow, TruthRow } from '../fakes/pms/world'

const KEY = 'test-key/with slash'
const EXTERNAL = 'casa-lumbre-chamberi'
const MAPPED = 'marisma-cabanyal'
const SATURDAY = '2026-02-28'
// 15:00 in Madrid, 14:00 in Las Palmas.
const NOW = new Date('2026-02-28T14:00:00Z')

const worldAt = (now: Date, seed = 'test') => createDemoWorld({ seed, now: () => now })
const world = worldAt(NOW)
const running: PmsSimulator[] = []

async function start(options: Partial<Parameters<typeof startPmsSimulator>[0]> = {}): Promise<PmsSimulator> {
  const simulator = await startPmsSimulator({ world, apiKey: KEY, ...options })
  running.push(simulator)
  return simulator
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((simulator) => simulator.close()))
})

interface Ask {
  slug?: string
  from?: string
  to?: string
  page?: number
  key?: string
  type?: string
  signal?: AbortSignal
}

function ask(simulator: PmsSimulator, options: Ask = {}): Promise<Response> {
  const { slug = EXTERNAL, from = SATURDAY, to = from, page = 0, key = KEY } = options
  const path = ['get_reservs', key, slug, from, to, String(page)].map(encodeURIComponent).join('/')
  return fetch(`${simulator.url}/api/restaurant/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': options.type ?? 'application/x-www-form-urlencoded' },
    signal: options.signal,
  })
}

async function rowsOf(answer: Response): Promise<unknown[]> {
  expect(answer.status).toBe(200)
  const body = (await answer.json()) as { resp: number; reservs: unknown[] }
  expect(body.resp).toBe(1)
  return body.reservs
}

function yearOf(slug: string): TruthRow[] {
  return Array.from({ length: 365 }, (_, day) => world.truth(slug, addDays('2025-12-31', -day))).flat()
}

const year = DEMO_VENUES.map((venue) => yearOf(venue.slug))

describe('determinism', () => {
  it('gives the same bytes for the same seed, others for another', async () => {
    const texts: string[] = []
    for (const other of [world, worldAt(NOW), worldAt(NOW, 'other')]) {
      const simulator = await start({ world: other })
      texts.push(await (await ask(simulator, { from: '2026-02-21', to: '2026-03-01' })).text())
    }
    expect(texts[0]?.length).toBeGreaterThan(10_000)
    expect(texts[1]).toBe(texts[0])
    expect(texts[2]).not.toBe(texts[0])
  })

  it('changes only statuses and visits when time goes by', () => {
    const later = worldAt(new Date('2026-03-02T10:00:00Z'))
    const without = (truth: TruthRow) => {
      const { state: _state, status: _status, ...row } = truth.row as ExternalRow & MappedRow
      return { ...truth, status: null, visited: null, row }
    }
    for (const slug of [EXTERNAL, MAPPED]) {
      const before = world.truth(slug, SATURDAY)
      const after = later.truth(slug, SATURDAY)
      expect(after.map(without)).toEqual(before.map(without))
      expect(after.map((t) => t.status)).not.toEqual(before.map((t) => t.status))
      expect(new Set(after.map((t) => t.status)).has('confirmed')).toBe(slug === EXTERNAL)
      // Entries before 06:00 belong to Friday's service, which is over.
      const known = (t: TruthRow) => t.status === 'completed' || t.time < '06:00'
      expect(before.every((t) => t.visited === (known(t) ? true : null))).toBe(true)
      expect(after.every((t) => t.visited === !['cancelled', 'no_show'].includes(t.status))).toBe(true)
    }
  })

  it('does not depend on the order of questions', () => {
    const fresh = worldAt(NOW)
    const second = fresh.day(MAPPED, '2026-02-27')
    fresh.day(EXTERNAL, SATURDAY)
    expect(fresh.day(MAPPED, '2026-02-27')).toEqual(second)
    expect(world.day(MAPPED, '2026-02-27')).toEqual(second)
  })
})

describe('bookings ahead', () => {
  const served = createDemoWorld({ seed: 'test', now: () => NOW, hideUnmade: true })
  const month = (from: number, days: number) =>
    DEMO_VENUES.map(({ slug }) =>
      Array.from({ length: days }, (_, day) => served.day(slug, addDays(SATURDAY, from + day)).length),
    )
  const sum = (counts: number[][]) => counts.flat().reduce((total, count) => total + count, 0)

  it('get fewer the further ahead the day, but never stop within two months', () => {
    const weeks = [1, 8, 15, 22, 29, 36, 43, 50, 57].map((from) => sum(month(from, 7)))
    expect(weeks).toEqual(weeks.toSorted((a, b) => b - a))
    expect(weeks[1] ?? 0).toBeLessThan((weeks[0] ?? 0) * 0.7)
    expect(weeks[4] ?? 0).toBeGreaterThan(20)
    expect(weeks[7] ?? 0).toBeGreaterThan(2)
  })

  it('are all made when the day has come, each kept until then', () => {
    expect(served.day(EXTERNAL, SATURDAY)).toEqual(world.day(EXTERNAL, SATURDAY))
    const ids = (now: string) =>
      createDemoWorld({ seed: 'test', now: () => new Date(now), hideUnmade: true })
        .truth(EXTERNAL, '2026-04-04')
        .map(({ externalId }) => externalId)
    const [early, late] = [ids('2026-03-01T12:00:00Z'), ids('2026-03-28T12:00:00Z')]
    expect(early.length).toBeGreaterThan(0)
    expect(late).toEqual(expect.arrayContaining(early))
    expect(late.length).toBeGreaterThan(early.length)
  })
})

describe('rows', () => {
  it('speaks the external shape', () => {
    const rows = year[0]?.map((truth) => truth.row as ExternalRow) ?? []
    const states = new Set(rows.map((row) => row.state))
    expect(states).toEqual(new Set(['1', 1, '2', 2, '5', 5, '9', 9, '-2', -2, '-5', -5, '-3', -3]))
    for (const row of rows) {
      expect(row.restaurante_id).toBe(EXTERNAL)
      expect(row.time).toMatch(/^\d\d:(00|15|30|45)$/)
      expect(Number.isInteger(row.pax ?? row.for)).toBe(true)
      expect((row.pax === undefined) !== (row.for === undefined)).toBe(true)
      expect(row.zone_name ?? row.name_zone).toMatch(/^(Sala|Terraza|Barra|Privado)$/)
    }
  })

  it('speaks the mapped shape, textual statuses', () => {
    const rows = year[2]?.map((truth) => truth.row as MappedRow) ?? []
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['finished', 'cancelled', 'no_show']))
    expect(
      rows.every((row) => /^\d+$/.test(row.booking_id) && row.party_size >= 1 && row.party_size <= 14),
    ).toBe(true)
  })

  it('follows the local clock of each venue', () => {
    for (const [slug, hour] of [
      [EXTERNAL, '15:00'],
      ['marisma-las-canteras', '14:00'],
    ] as const) {
      const today = world.truth(slug, SATURDAY)
      const come = today.filter((truth) => truth.time <= hour && truth.time > '06:00')
      const ahead = today.filter((truth) => truth.time > hour)
      expect(come.some((truth) => truth.status === 'seated')).toBe(true)
      expect(come.every((truth) => truth.status !== 'pending')).toBe(true)
      // A venue that sends numeric codes does not mark every arrival.
      expect(come.some((truth) => truth.status === 'confirmed')).toBe(slug === EXTERNAL)
      expect(ahead.every((truth) => ['pending', 'confirmed', 'cancelled'].includes(truth.status))).toBe(true)
    }
  })

  it('uses every code of each status in the course of a night', () => {
    let now = NOW
    const moving = createDemoWorld({ seed: 'test', now: () => now })
    const codes = new Map<string, Set<string>>()
    for (const hour of [-600, -300, -72, -24, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24, 36]) {
      now = new Date(Date.UTC(2026, 2, 7, hour, 30))
      for (const { status, row } of [
        ...moving.truth(EXTERNAL, '2026-03-07'),
        ...moving.truth(EXTERNAL, '2026-03-08'),
      ]) {
        codes.set(status, (codes.get(status) ?? new Set()).add(String((row as ExternalRow).state)))
      }
    }
    expect(Object.fromEntries([...codes].map(([status, found]) => [status, [...found].sort()]))).toEqual({
      pending: ['0', '3'],
      confirmed: ['1'],
      seated: ['2', '5', '9'],
      cancelled: ['-2', '-5'],
      no_show: ['-3'],
    })
  })

  it('can leave out walk-ins that have not come yet', () => {
    const now = () => NOW
    const real = createDemoWorld({ seed: 'test', now, hideFutureWalkIns: true })
    const week = Array.from({ length: 7 }, (_, day) => addDays(SATURDAY, day + 1))
    const rows = (from: typeof world) => week.flatMap((date) => from.day(EXTERNAL, date) as ExternalRow[])
    const ids = new Set(rows(real).map((row) => row.id))
    const hidden = rows(world).filter((row) => !ids.has(row.id))
    expect(hidden.length).toBeGreaterThan(0)
    expect(hidden.every((row) => row.provenance === 'walk in')).toBe(true)
    expect(real.day(EXTERNAL, '2026-02-14')).toEqual(world.day(EXTERNAL, '2026-02-14'))
  })

  it('gives unique ids that grow with the date', () => {
    const all = year.flat()
    expect(new Set(all.map((truth) => truth.externalId)).size).toBe(all.length)
    const byDate = [...all]
      .sort((a, b) => Number(a.externalId) - Number(b.externalId))
      .map((truth) => truth.date)
    expect(byDate).toEqual([...byDate].sort())
  })
})

describe('volumes and dirt of a year', () => {
  const all = year.flat()

  it('has the size of the demo', () => {
    const known = all.filter((truth) => truth.person?.email || truth.person?.phone)
    const persons = new Set(known.map((truth) => truth.personId)).size
    expect(all.length).toBeGreaterThan(17_000)
    expect(all.length).toBeLessThan(24_000)
    expect(persons).toBeGreaterThan(2_500)
    expect(persons).toBeLessThan(3_500)
  })

  it('is busier on Saturdays, and most bookings become visits', () => {
    const on = (day: number) => all.filter((truth) => weekday(truth.date) === day).length
    expect(on(6)).toBeGreaterThan(2 * on(2))
    const share = (status: string) => all.filter((truth) => truth.status === status).length / all.length
    expect(all.filter((truth) => truth.visited).length / all.length).toBeGreaterThan(0.8)
    for (const status of ['completed', 'seated', 'confirmed']) expect(share(status)).toBeGreaterThan(0.1)
    expect(share('cancelled')).toBeCloseTo(0.08, 1)
    expect(share('no_show')).toBeGreaterThan(0.03)
    expect(all.some((truth) => truth.time < '01:30' && truth.personId === null)).toBe(true)
  })

  it('closes on closed weekdays and stays near the planned covers', () => {
    DEMO_VENUES.forEach((venue, index) => {
      const rows = year[index] ?? []
      const days = new Set(rows.map((truth) => truth.date))
      const covers = rows.reduce((sum, truth) => sum + truth.partySize, 0)
      expect([...days].some((date) => venue.closedWeekdays.includes(weekday(date)))).toBe(false)
      expect(covers / days.size / venue.coversPerDay).toBeGreaterThan(0.85)
      expect(covers / days.size / venue.coversPerDay).toBeLessThan(1.15)
    })
  })

  it('writes a regular down in many ways', () => {
    const visits = Map.groupBy(all, (truth) => truth.personId)
    const [, regular] = [...visits]
      .filter(([id, rows]) => id && rows[0]?.person?.phone?.startsWith('+34') && rows[0].person.email)
      .sort((a, b) => b[1].length - a[1].length)[0] ?? [null, []]
    expect(regular.length).toBeGreaterThan(30)
    const phones = new Set(regular.flatMap((truth) => truth.rawPhone ?? []))
    expect(phones.size).toBe(4)
    for (const form of [/^\+34 \d{3} \d{3} \d{3}$/, /^\d{9}$/, /^0034\d{9}$/, /^\d{3}(-\d\d){3}$/]) {
      expect([...phones].some((phone) => form.test(phone))).toBe(true)
    }
    const numbers = [...phones].map((phone) => parsePhoneNumberFromString(phone, 'ES')?.number)
    expect(new Set(numbers)).toEqual(new Set([regular[0]?.person?.phone]))
    const emails = new Set(regular.flatMap((truth) => truth.rawEmail ?? []))
    expect(emails.size).toBeGreaterThan(2)
    expect(new Set([...emails].map((email) => email.trim().toLowerCase())).size).toBe(1)
  })

  it('never drops both e-mail and phone of a person who has one, and disguises missing fields in three ways', () => {
    const unreachable = all.filter(
      ({ person, rawEmail, rawPhone }) => (person?.email || person?.phone) && !rawEmail && !rawPhone,
    )
    expect(unreachable).toEqual([])
    const blank = all.filter((truth) => truth.rawEmail === null).map((truth) => truth.row)
    const seen = new Set(
      blank.map((row) => String('booking_id' in row ? row.customer_email : row.client_email)),
    )
    expect(seen).toEqual(new Set(['', 'null', 'undefined']))
  })
})

describe('people', () => {
  const slugs = ['a', 'b']
  const people = createPeople({ seed: 'test', count: 4_000, slugs })

  it('has valid unique contacts at reserved domains', () => {
    expect(people.length).toBe(4_000)
    expect(createPeople({ seed: 'test', count: 4_000, slugs })).toEqual(people)
    const emails = people.flatMap((person) => person.email ?? [])
    expect(new Set(emails).size).toBe(emails.length)
    expect(emails.every((email) => /^[a-z0-9._]+@[a-z]+\.example$/.test(email))).toBe(true)
    const single = people.filter((person) => !person.familyId).flatMap((person) => person.phone ?? [])
    expect(new Set(single).size).toBe(single.length)
    const numbers = people.flatMap((person) => person.phone ?? [])
    expect(numbers.filter((phone) => parsePhoneNumberFromString(phone)?.isValid() !== true)).toEqual([])
    expect(numbers.some((phone) => !phone.startsWith('+34'))).toBe(true)
    expect(people.some((person) => /[áéíóúñ]/.test(person.lastName))).toBe(true)
  })

  it('has families that share a phone', () => {
    const families = [...Map.groupBy(people, (person) => person.familyId)].filter(([id]) => id)
    expect(families.length).toBeGreaterThan(50)
    for (const [, members] of families) {
      expect(members.length).toBeGreaterThanOrEqual(2)
      expect(members.length).toBeLessThanOrEqual(4)
      expect(new Set(members.map((member) => member.phone)).size).toBe(1)
    }
    const withEmails = families.map(([, members]) => members.filter((member) => member.email).length)
    expect(withEmails.some((count) => count === 1)).toBe(true)
    expect(families.filter(([, members], i) => withEmails[i] === members.length).length).toBeGreaterThan(30)
  })

  it('holds the venues of three brands', () => {
    expect(DEMO_VENUES.length).toBe(5)
    expect(new Set(DEMO_VENUES.map((venue) => venue.brand))).toEqual(
      new Set(SEED_BRANDS.map((brand) => brand.name)),
    )
  })
})

describe('protocol', () => {
  it('answers a window and keeps it in the ledger', async () => {
    const simulator = await start()
    const first = await rowsOf(await ask(simulator, { from: '2026-02-21', to: '2026-03-01' }))
    const second = await rowsOf(await ask(simulator, { slug: MAPPED }))
    expect(second).toEqual(world.day(MAPPED, SATURDAY))
    expect(simulator.ledger.served()).toStrictEqual([...first, ...second])
    expect(simulator.ledger.served(MAPPED)).toStrictEqual(second)
    expect(simulator.ledger.entries.map(({ at, slug, page, fault }) => ({ at, slug, page, fault }))).toEqual([
      { at: 1, slug: EXTERNAL, page: 0, fault: null },
      { at: 2, slug: MAPPED, page: 0, fault: null },
    ])
    expect(simulator.ledger.entries[1]?.truths).toEqual(world.truth(MAPPED, SATURDAY))
    expect(simulator.ledger.requests).toBe(2)
    simulator.ledger.clear()
    expect(simulator.ledger.served()).toEqual([])
    expect(simulator.ledger.requests).toBe(0)
  })

  it('pages by 1,000 rows', async () => {
    const simulator = await start()
    const window = { from: '2025-01-01', to: '2025-12-31' }
    const pages: unknown[][] = []
    while (pages.length === 0 || pages.at(-1)?.length === 1_000) {
      pages.push(await rowsOf(await ask(simulator, { ...window, page: pages.length })))
    }
    expect(pages.length).toBe(Math.floor((year[0]?.length ?? 0) / 1_000) + 1)
    expect(pages.flat().length).toBe(year[0]?.length)
    expect(new Set(pages.flat().map((row) => (row as ExternalRow).id)).size).toBe(year[0]?.length)
    expect(JSON.stringify(simulator.ledger.served(EXTERNAL))).toBe(JSON.stringify(pages.flat()))
  })

  it('refuses a wrong key, slug, window, method, type and path', async () => {
    const simulator = await start()
    const error = async (options: Ask) => {
      const answer = await ask(simulator, options)
      expect(answer.status).toBe(200)
      return answer.json()
    }
    expect(await error({ key: 'wrong' })).toEqual({ resp: 0, error: 'Invalid API key' })
    expect(await error({ slug: 'nowhere' })).toEqual({ resp: 0, error: 'Restaurant not found' })
    expect(await error({ from: '2026-02-30' })).toEqual({ resp: 0, error: 'Invalid date range' })
    expect(await error({ to: '2026-02-01' })).toEqual({ resp: 0, error: 'Invalid date range' })
    expect((await ask(simulator, { type: 'application/json' })).status).toBe(415)
    expect((await ask(simulator, { type: 'application/x-www-form-urlencoded; charset=utf-8' })).status).toBe(
      200,
    )
    const path = `/api/restaurant/get_reservs/${encodeURIComponent(KEY)}/${EXTERNAL}/${SATURDAY}/${SATURDAY}/0`
    expect((await fetch(simulator.url + path)).status).toBe(405)
    expect((await fetch(`${simulator.url}/api/restaurant`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${simulator.url}/__control/ledger`)).status).toBe(404)
    expect(simulator.ledger.entries.length).toBe(1)
    expect(simulator.ledger.requests).toBe(7)
  })

  it('changes worlds while it runs', async () => {
    const simulator = await start()
    const other = worldAt(NOW, 'other')
    simulator.setWorld(other)
    expect(await rowsOf(await ask(simulator))).toEqual(other.day(EXTERNAL, SATURDAY))
  })
})

describe('faults', () => {
  async function faulty(fault: Fault): Promise<PmsSimulator> {
    const simulator = await start()
    simulator.setFault(EXTERNAL, fault)
    return simulator
  }

  it('delays an answer and counts it as served', async () => {
    const simulator = await faulty({ kind: 'latency', ms: 5 })
    const rows = await rowsOf(await ask(simulator))
    expect(simulator.ledger.entries[0]?.fault).toBe('latency')
    expect(simulator.ledger.served()).toEqual(rows)
  })

  it.each<Fault>([{ kind: 'hang' }, { kind: 'latency', ms: 600_000 }])(
    'keeps a client waiting: $kind',
    async (fault) => {
      const simulator = await faulty(fault)
      const limit = new AbortController()
      const asked = ask(simulator, { signal: limit.signal })
      // The time begins when the request has arrived.
      while (simulator.ledger.entries.length === 0) await setImmediate()
      setTimeout(() => limit.abort(new Error('timeout')), 50)
      await expect(asked).rejects.toThrow(/timeout/)
      expect(simulator.ledger.entries[0]).toMatchObject({ fault: fault.kind, rows: [] })
      expect((await rowsOf(await ask(simulator, { slug: MAPPED }))).length).toBeGreaterThan(0)
    },
  )

  it('ends hung requests when it closes', async () => {
    const simulator = await faulty({ kind: 'hang' })
    const answer = ask(simulator).then(
      () => 'answered',
      () => 'ended',
    )
    await ask(simulator, { slug: MAPPED })
    await simulator.close()
    expect(await answer).toBe('ended')
  })

  it('resets the connection', async () => {
    const simulator = await faulty({ kind: 'reset', times: 1 })
    const error = await ask(simulator).catch((reason: Error) => reason)
    expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect((await ask(simulator)).status).toBe(200)
  })

  it('limits the rate until it heals', async () => {
    const simulator = await faulty({ kind: 'rate_limit', retryAfter: 7, times: 2 })
    for (let i = 0; i < 2; i++) {
      const answer = await ask(simulator)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    }
    const rows = await rowsOf(await ask(simulator))
    expect(simulator.ledger.entries.map((entry) => entry.fault)).toEqual(['rate_limit', 'rate_limit', null])
    expect(simulator.ledger.served()).toEqual(rows)
  })

  it('fails with a status until it is cleared', async () => {
    const simulator = await faulty({ kind: 'error' })
    expect((await ask(simulator)).status).toBe(500)
    simulator.setFault(EXTERNAL, { kind: 'error', status: 503 })
    expect((await ask(simulator)).status).toBe(503)
    expect((await ask(simulator)).status).toBe(503)
    simulator.clearFaults()
    expect((await ask(simulator)).status).toBe(200)
  })

  it('sends broken JSON, a page of HTML, a refusal', async () => {
    const simulator = await faulty({ kind: 'invalid_json' })
    await expect((await ask(simulator)).json()).rejects.toThrow(SyntaxError)
    simulator.setFault(EXTERNAL, { kind: 'html' })
    const html = await ask(simulator)
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await html.text()).toMatch(/^<!doctype html>/)
    simulator.setFault(EXTERNAL, { kind: 'refused' })
    expect(await (await ask(simulator)).json()).toEqual({ resp: 0, error: 'Restaurant not available' })
    expect(simulator.ledger.served()).toEqual([])
  })

  it('mixes malformed rows among good ones', async () => {
    const simulator = await faulty({ kind: 'malformed_rows' })
    const rows = await rowsOf(await ask(simulator))
    const good = world.day(EXTERNAL, SATURDAY)
    expect(rows.length).toBe(good.length + 8)
    expect(rows.slice(4, -4)).toEqual(good)
    expect(simulator.ledger.served()).toEqual(good)
    expect(rows).toContain(null)
    expect(rows.some((row) => typeof row === 'string')).toBe(true)
    const text = JSON.stringify(rows)
    for (const part of ['-02-30"', '"25:99"', '"muchos"', '"state":"77"', '\\u0000', '\\ud83d']) {
      expect(text).toContain(part)
    }
    simulator.setFault(EXTERNAL, { kind: 'malformed_rows', rows: [7] })
    expect(await rowsOf(await ask(simulator))).toEqual([7, ...good])
  })

  it('serves a large window in pages', async () => {
    const simulator = await faulty({ kind: 'large', rows: 2_300 })
    const window = { from: '2026-02-21', to: '2026-03-01' }
    const pages = []
    for (const page of [0, 1, 2]) pages.push(await rowsOf(await ask(simulator, { ...window, page })))
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 300])
    const rows = pages.flat() as MappedRow[]
    expect(new Set(rows.map((row) => row.booking_id)).size).toBe(2_300)
    expect([rows[0]?.booking_date, rows.at(-1)?.booking_date]).toEqual(['2026-02-21', '2026-03-01'])
    expect(simulator.ledger.served(EXTERNAL)).toEqual(rows)
  })

  it('is switched over HTTP when control is on', async () => {
    const simulator = await start({ control: true })
    const control = (path: string, method = 'GET', body?: string) =>
      fetch(`${simulator.url}/__control/${path}`, { method, body })
    expect((await control(`faults/${EXTERNAL}`, 'PUT', '{"kind":"error","status":502}')).status).toBe(204)
    expect((await ask(simulator)).status).toBe(502)
    expect((await control(`faults/${EXTERNAL}`, 'DELETE')).status).toBe(204)
    const rows = await rowsOf(await ask(simulator))
    expect(await (await control('ledger')).json()).toEqual({
      requests: 2,
      venues: { [EXTERNAL]: { requests: 2, rows: rows.length } },
    })
    for (const body of ['', '{', '{"kind":"storm"}', '{"kind":"latency"}', '{"kind":"hang","times":0}']) {
      expect((await control(`faults/${EXTERNAL}`, 'PUT', body)).status).toBe(400)
    }
    expect((await control('faults/nowhere', 'PUT', '{"kind":"hang"}')).status).toBe(404)
    expect((await control('else')).status).toBe(404)
  })
})

describe('bulk rows', () => {
  it('spreads clean rows of count / 2 persons over the window', () => {
    const options = { seed: 'bulk', slug: MAPPED, from: '2026-02-21', count: 10_000, people: world.people }
    const rows = bulkRows(options) as MappedRow[]
    expect(rows).toEqual(bulkRows(options))
    expect(rows.length).toBe(10_000)
    expect(new Set(rows.map((row) => row.booking_id)).size).toBe(10_000)
    expect(rows.every((row) => Number.isSafeInteger(Number(row.booking_id)))).toBe(true)
    expect(new Set(rows.map((row) => row.customer_email)).size).toBe(5_000)
    expect(new Set(bulkTruths(options).map((truth) => truth.personId)).size).toBe(5_000)
    expect(new Set(rows.map((row) => row.booking_date)).size).toBe(9)
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['finished', 'confirmed']))
    const last = rows.at(-1)?.customer_phone ?? ''
    expect(parsePhoneNumberFromString(last)?.isValid()).toBe(true)
  })
})
