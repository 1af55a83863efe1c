import { NextRequest } from 'next/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postSurvey, readSurvey } from '@/lib/feedback/survey'
import { EXAMPLE_MESSAGE, surveyToken } from '@/lib/feedback/survey-token'
import { linkKey } from '@/lib/messaging/link-token'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { notifyTickets } from '@/lib/tickets/jobs'
import { proxy } from '@/proxy'
import { createGroup, type Group, stackClient } from '../factories/group'
import { createCustomer, createReservation } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const SENT = new Date('2026-11-20T11:00:00Z')
const later = (hours: number) => new Date(SENT.getTime() + hours * 3_600_000)

let app: TestApp
let group: Group
let other: Group
let ana: string
let visit: string
let message: string
let boss: Client
let bound: Client

beforeAll(async () => {
  app = await startApp()
  const places = [
    { name: 'Retiro', slug: 'retiro' },
    { name: 'Sol', slug: 'sol' },
  ]
  group = await createGroup(app.stack, 'Grupo Encuesta', places)
  other = await createGroup(app.stack, 'Grupo Ajeno', places)
  boss = await signedIn(await group.person('super_admin'))
  bound = await signedIn(await group.person('operaciones', [place('Retiro')]))
})
beforeEach(async () => {
  await app.stack.sql(
    emptyTables('feedback', 'tickets', 'messages', 'reservations', 'customers', 'attempt_limits'),
  )
  const made = await visitOf('Ana', 'Retiro')
  ana = made.customer
  visit = made.reservation
  message = made.message
})
afterAll(() => app?.close())

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const place = (name: string, of = group) => of.locations.find((one) => one.name === name)?.id ?? ''

/** A guest who came, and the message afterwards. */
async function visitOf(name: string, location: string, of = group) {
  const home = { location_id: place(location, of) }
  const person = { first_name: name, last_name: 'Ruiz', email: `${name.toLowerCase()}@correo.example` }
  const customer = await createCustomer(app.stack, of.id, { ...person, ...home })
  const reservation = await createReservation(app.stack, of.id, {
    ...{ customer_id: customer, customer_name: `${name} Ruiz`, reservation_date: '2026-11-19' },
    ...{ ...home, status: 'completed', service_over: true },
  })
  const [written] = await sql<{ id: string }>(
    `insert into public.messages (organization_id, kind, purpose, channel, customer_id, reservation_id, status, dedupe_key, sent_at, created_at)
     values ($1, 'marketing', 'post_visit', 'sms', $2, $3::uuid, 'sent', 'post_visit:' || $3::uuid::text, $4, $4) returning id::text`,
    [of.id, customer, reservation, SENT],
  )
  return { customer, reservation, message: written?.id ?? '' }
}

const tokenOf = (id = message, key = app.stack.keys.secretsKey) => surveyToken(id, linkKey(key))
const form = (score: unknown, words = '', language = 'es') =>
  new URLSearchParams({ score: String(score), words, language }).toString()
/** Answers at a moment, as the page's form does. */
const rate = (score: number, words = '', { at = later(1), token = tokenOf(), language = 'es' } = {}) =>
  postSurvey(
    new Request('http://localhost/', { method: 'POST', body: form(score, words, language), headers: FORM }),
    token,
    at,
  )
const post = (token: string, body: string, headers: Record<string, string> = {}) =>
  app.client().request('POST', `/api/f/${token}`, { body, headers: { ...FORM, ...headers } })
const stored = () =>
  sql<Record<string, unknown>>(
    'select score, words, language, customer_id::text, location_id::text, reservation_id::text from public.feedback',
  )
const tickets = () =>
  sql<Record<string, unknown>>(
    `select t.subject, t.description, t.priority, t.status, t.location_id::text, t.customer_id::text,
       array(select c.body from public.ticket_comments c where c.ticket_id = t.id order by c.created_at) as comments
     from public.tickets t order by t.number`,
  )
const list = async (client: Client, query = '') =>
  (await answer(await client.request('GET', `/api/feedback${query}`))).body.data

describe('the survey', () => {
  it('asks the guest of the visit, and saves one answer', async () => {
    const open = {
      ...{ state: 'open', firstName: 'Ana', locationName: 'Retiro', score: null, reviewUrls: [] },
      ...{ language: null, groupLanguage: 'es' },
    }
    expect(await readSurvey(tokenOf(), later(1))).toEqual(open)
    const answered = await rate(5, '  El arroz, de diez.\r\nVolveremos. ')
    expect([answered.status, answered.headers.get('location')]).toEqual([303, `/f/${tokenOf()}`])
    expect(await stored()).toEqual([
      {
        ...{ score: 5, words: 'El arroz, de diez.\nVolveremos.', language: 'es' },
        ...{ customer_id: ana, location_id: place('Retiro'), reservation_id: visit },
      },
    ])
    expect(await readSurvey(tokenOf(), later(2))).toEqual({ ...open, state: 'answered', score: 5 })
    expect(await tickets()).toEqual([])
  })

  it('records nothing when someone looks, also through the proxy and the API', async () => {
    const url = `https://crm.example/f/${tokenOf()}`
    const seen = await proxy(new NextRequest(url))
    expect([seen.status, seen.headers.get('location')]).toEqual([200, null])
    expect((await app.client().request('GET', `/api/f/${tokenOf()}`)).status).toBe(405)
    await readSurvey(tokenOf(), later(1))
    expect(await stored()).toEqual([])
  })

  it('may be changed for a day; without words the earlier ones stay', async () => {
    await rate(4, 'Muy bien')
    await rate(3, '', { at: later(20), language: 'en' })
    expect(await stored()).toMatchObject([{ score: 3, words: 'Muy bien', language: 'en' }])
    expect((await rate(1, 'Tarde', { at: later(25) })).status).toBe(303)
    expect(await stored()).toMatchObject([{ score: 3, words: 'Muy bien' }])
    expect(await readSurvey(tokenOf(), later(25))).toMatchObject({ state: 'closed', score: 3 })
    expect(await tickets()).toEqual([])
  })

  it('offers the location’s review pages after five stars only', async () => {
    const pages = ['https://search.google.com/local/writereview?placeid=x', 'https://www.tripadvisor.es/r']
    const { body } = await answer(
      await boss.request('PATCH', `/api/locations/${place('Retiro')}`, { body: { review_urls: pages } }),
    )
    expect(body.data.review_urls).toEqual(pages)
    const offered = async (at = later(2)) => (await readSurvey(tokenOf(), at))?.reviewUrls
    expect(await offered()).toEqual([])
    for (const score of [1, 2, 3, 4]) {
      await rate(score)
      expect(await offered(), String(score)).toEqual([])
    }
    await rate(5)
    expect(await offered()).toEqual(pages)
    expect(await offered(later(40 * 24))).toEqual(pages)
    await rate(4)
    expect(await offered()).toEqual([])
    await rate(5)
    const sol = await visitOf('Bea', 'Sol')
    await rate(5, '', { token: tokenOf(sol.message) })
    expect((await readSurvey(tokenOf(sol.message), later(2)))?.reviewUrls).toEqual([])
    expect((await readSurvey(tokenOf(EXAMPLE_MESSAGE)))?.reviewUrls).toEqual([])
    // Erased: the link leads nowhere.
    await sql('update public.messages set customer_id = null where id = $1', [message])
    expect(await readSurvey(tokenOf(), later(2))).toBeNull()
    await sql(`update public.locations set review_urls = '{}'`)
  })

  it('ends 30 days after the message', async () => {
    expect(await readSurvey(tokenOf(), later(30 * 24 - 1))).toMatchObject({ state: 'open' })
    expect(await readSurvey(tokenOf(), later(30 * 24))).toMatchObject({ state: 'expired' })
    expect((await rate(1, 'Tarde', { at: later(30 * 24) })).status).toBe(303)
    expect(await stored()).toEqual([])
  })

  it.each([
    ['the guest did not come after all', `update public.reservations set status = 'no_show'`],
    ['the visit is another guest’s', 'update public.reservations set customer_id = null'],
    ['the guest was erased', 'update public.messages set customer_id = null'],
    ['the message is about no visit', 'update public.messages set reservation_id = null'],
    ['the message is gone', 'delete from public.messages'],
  ])('leads nowhere once %s', async (_, change) => {
    await sql(change)
    expect(await readSurvey(tokenOf(), later(1))).toBeNull()
    expect(await answer(await post(tokenOf(), form(1)))).toEqual(refusal('NOT_FOUND'))
    expect(await stored()).toEqual([])
  })

  it('needs a link of ours, made for this purpose', async () => {
    const token = tokenOf()
    const unsubscribe = { organizationId: message, channel: 'email', address: '' } as const
    const forged = [
      ...[`${token}A`, token.slice(1), 'nonsense', '%00', message, tokenOf(crypto.randomUUID())],
      tokenOf(message, Buffer.alloc(32, 9).toString('base64')),
      unsubscribeToken(unsubscribe, app.stack.keys.secretsKey),
    ]
    for (const wrong of forged) {
      expect(await answer(await post(wrong, form(1))), wrong).toEqual(refusal('NOT_FOUND'))
      expect(await readSurvey(wrong), wrong).toBeNull()
    }
    expect(await stored()).toEqual([])
  })

  it('answers only for its own visit, also where another group has the same guest', async () => {
    const theirs = await visitOf('Ana', 'Retiro', other)
    await rate(1, 'Suyo', { token: tokenOf(theirs.message) })
    expect(await stored()).toMatchObject([
      { reservation_id: theirs.reservation, customer_id: theirs.customer },
    ])
    expect(await list(boss)).toEqual([])
    const [ticket] = await sql('select organization_id::text from public.tickets')
    expect(ticket).toEqual({ organization_id: other.id })
  })

  it('shows an example that saves nothing', async () => {
    const token = tokenOf(EXAMPLE_MESSAGE)
    expect(await readSurvey(token)).toMatchObject({ state: 'example' })
    expect((await post(token, form(1))).status).toBe(303)
    expect(await stored()).toEqual([])
  })

  it('refuses forms of other sites, and what is malformed or too large', async () => {
    const token = tokenOf()
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) expect((await post(token, form(5), headers)).status).toBe(403)
    for (const score of ['0', '6', '2.5', 'x', ''])
      expect((await post(token, form(score))).status, score).toBe(400)
    expect((await post(token, form(5, 'x'.repeat(1001)))).status).toBe(400)
    expect((await post(token, form(5, 'a\0b'))).status).toBe(400)
    expect((await post(token, form(5, 'x', 'xx'))).status).toBe(400)
    expect((await post(token, form(5, 'x'.repeat(70_000)))).status).toBe(413)
    expect((await post(token, '{}', { 'content-type': 'application/json' })).status).toBe(415)
    expect((await post('x'.repeat(300), form(5))).status).toBe(400)
    expect(await stored()).toEqual([])
  })

  it('takes ten posts a minute for a link', async () => {
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn++) statuses.push((await post(tokenOf(), form('x'))).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    expect((await post(tokenOf(EXAMPLE_MESSAGE), form(5))).status).toBe(303)
  })
})

describe('a bad score', () => {
  it.each([1, 2])('of %i opens one ticket for the location, once a visit', async (score) => {
    await rate(score, 'Cuarenta minutos esperando')
    const ticket = {
      subject: `Mala valoración de Ana Ruiz: ${score} de 5`,
      description: `Visita del 19/11 a las 21:00.\nPuntuación: ${score} de 5.\n\n«Cuarenta minutos esperando»`,
      ...{ priority: 'high', status: 'open', location_id: place('Retiro'), customer_id: ana },
    }
    expect(await tickets()).toEqual([{ ...ticket, comments: [] }])
    await rate(score, '', { at: later(2) })
    expect(await tickets()).toEqual([{ ...ticket, comments: [] }])
    await rate(3, 'Nos llamaron', { at: later(3) })
    const comments = ['Ha cambiado su respuesta. Puntuación: 3 de 5.\n\n«Nos llamaron»']
    expect(await tickets()).toEqual([{ ...ticket, comments }])
    await sql('delete from public.tickets')
    await rate(1, 'Otra vez', { at: later(4) })
    expect(await tickets()).toEqual([])
  })

  it.each([
    ['es', 'Mala valoración de Ana Ruiz: 1 de 5'],
    ['en', 'Bad feedback from Ana Ruiz: 1 of 5'],
    ['ca', 'Mala valoración de Ana Ruiz: 1 de 5'],
  ])(
    'opens it in the group’s language (%s) after an answer in one that staff do not read here',
    async (language, subject) => {
      await sql('update public.organizations set language = $2 where id = $1', [group.id, language])
      await rate(1, 'Nous avons attendu', { language: 'fr' })
      await sql(`update public.organizations set language = 'es' where id = $1`, [group.id])
      expect(await tickets()).toMatchObject([{ subject }])
      expect(await list(boss)).toMatchObject([{ language: 'fr', words: 'Nous avons attendu' }])
    },
  )

  it('opens it in the language in which the guest answered', async () => {
    await rate(1, 'We waited forty minutes', { language: 'en' })
    await rate(3, 'They called us', { language: 'en', at: later(2) })
    expect(await tickets()).toMatchObject([
      {
        subject: 'Bad feedback from Ana Ruiz: 1 of 5',
        description: 'Visit of 19 November at 21:00.\nScore: 1 of 5.\n\n“We waited forty minutes”',
        comments: ['The answer was changed. Score: 3 of 5.\n\n“They called us”'],
      },
    ])
  })

  it('of two posts at once opens one ticket', async () => {
    await Promise.all([rate(1, 'Uno'), rate(1, 'Dos'), rate(2, 'Tres')])
    expect(await tickets()).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
  })

  it('after a good one opens it with the change', async () => {
    await rate(3)
    expect(await tickets()).toEqual([])
    await rate(2, '', { at: later(2) })
    expect(await tickets()).toMatchObject([{ description: expect.stringContaining('Puntuación: 2 de 5.') }])
  })
})

describe('staff', () => {
  it('see the answers of their locations, with filters and pages', async () => {
    const sol = await visitOf('Bea', 'Sol')
    await rate(5, 'Todo bien', { at: later(1) })
    await rate(2, 'Lento', { at: later(2), token: tokenOf(sol.message) })
    expect(await list(boss)).toMatchObject([
      {
        location: 'Sol',
        customer_name: 'Bea Ruiz',
        score: 2,
        words: 'Lento',
        reservation_date: '2026-11-19',
      },
      { location: 'Retiro', customer_name: 'Ana Ruiz', score: 5, words: 'Todo bien', ticket_id: null },
    ])
    expect(await list(bound)).toMatchObject([{ location: 'Retiro' }])
    expect(await list(bound, `?location_id=${place('Sol')}`)).toEqual([])
    expect(await list(boss, `?location_id=${place('Sol')}`)).toMatchObject([{ score: 2 }])
    expect(await list(boss, '?score=5')).toMatchObject([{ score: 5 }])
    expect(await list(boss, `?customer_id=${ana}`)).toMatchObject([{ score: 5 }])
    const first = (await answer(await boss.request('GET', '/api/feedback?limit=1'))).body
    expect(await list(boss, `?limit=1&cursor=${first.next_cursor}`)).toMatchObject([{ location: 'Retiro' }])
    expect((await boss.request('GET', '/api/feedback?score=9')).status).toBe(400)
    await sql(`update public.feedback set answered_at = now() - interval '8 days' where score = 5`)
    await sql('update public.feedback set answered_at = now() where score = 2')
    expect(await list(boss, '?days=7')).toMatchObject([{ score: 2 }])
  })

  it('see a name in capitals as other pages show it', async () => {
    await sql(`update public.customers set first_name = 'ANA', last_name = 'RUIZ' where id = $1`, [ana])
    await rate(5)
    expect(await list(boss)).toMatchObject([{ customer_name: 'Ana Ruiz' }])
  })

  it('see the trend by week and location', async () => {
    const sol = await visitOf('Bea', 'Sol')
    const again = await visitOf('Clara', 'Retiro')
    await rate(5)
    await rate(2, '', { token: tokenOf(again.message) })
    await rate(4, '', { token: tokenOf(sol.message), at: later(7 * 24) })
    const trend = await sql<Record<string, unknown>>(
      `select l.name, f.week::text, f.answers::int, f.average::float from public.feedback_trend(null, $1) f
       join public.locations l on l.id = f.location_id where l.organization_id = $2 and f.answers > 0 order by 1`,
      [later(8 * 24), group.id],
    )
    expect(trend).toEqual([
      { name: 'Retiro', week: '2026-11-16', answers: 2, average: 3.5 },
      { name: 'Sol', week: '2026-11-23', answers: 1, average: 4 },
    ])
    const weeks = await sql<{ week: string }>(
      'select f.week::text as week from public.feedback_trend($1, $2) f',
      [place('Sol'), later(8 * 24)],
    )
    expect([weeks.length, weeks[0]?.week, weeks.at(-1)?.week]).toEqual([12, '2026-09-07', '2026-11-23'])
  })
})

describe('the guest’s record', () => {
  const owner = async () => (await stored()).map(({ customer_id }) => customer_id)

  it('takes feedback along in a merge, and gives it back when that is undone', async () => {
    const bea = await visitOf('Bea', 'Sol')
    await rate(5)
    const merged = await boss.request('POST', `/api/customers/${bea.customer}/merge`, {
      body: { duplicate_id: ana },
    })
    expect(merged.status).toBe(200)
    expect(await owner()).toEqual([bea.customer])
    // The link goes on working, and a later answer goes back with its visit.
    expect(await readSurvey(tokenOf(), later(2))).toMatchObject({ state: 'answered', firstName: 'Bea' })
    await sql('delete from public.feedback')
    await rate(4, 'Después', { at: later(2) })
    const [{ id } = { id: '' }] = await sql<{ id: string }>(
      'select id::text from public.customer_merges where undone_at is null',
    )
    expect((await boss.request('POST', `/api/customer-merges/${id}/undo`)).status).toBe(200)
    expect(await owner()).toEqual([ana])
  })

  it('moves with the visit', async () => {
    const bea = await visitOf('Bea', 'Sol')
    await rate(5)
    await sql('update public.reservations set customer_id = $1, location_id = $2 where id = $3', [
      bea.customer,
      place('Sol'),
      visit,
    ])
    expect(await stored()).toMatchObject([{ customer_id: bea.customer, location_id: place('Sol') }])
  })

  it.each([
    ['es', '«[…]»'],
    ['en', '“[…]”'],
  ])(
    'loses the words of an answer in %s in an erasure, also in ticket and e-mails; the score stays',
    async (language, gone) => {
      const tell = {
        db: stackClient(app.stack, 'service'),
        now: later(2),
        signal: new AbortController().signal,
      }
      await rate(1, 'Mi hija es alérgica\ny nadie lo sabía', { language })
      await notifyTickets(tell)
      await rate(2, 'Ya nos llamaron', { at: later(2), language })
      await sql('select public.queue_ticket_notifications($1, $2, 10)', [group.id, later(2)])
      const notices = () =>
        sql<{ status: string; content: object }>(
          `select status, content from public.messages where kind = 'notification' order by created_at, status`,
        )
      expect((await notices()).map(({ status }) => status)).toEqual(['sent', 'queued'])
      expect(JSON.stringify(await notices())).toMatch(/alérgica/)
      expect((await boss.request('DELETE', `/api/customers/${ana}`)).status).toBe(204)
      expect(await stored()).toMatchObject([{ score: 2, words: null, customer_id: null }])
      expect(JSON.stringify(await tickets())).not.toMatch(/alérgica|nadie|llamaron/)
      expect(await tickets()).toMatchObject([
        { description: expect.stringContaining(gone), comments: [expect.stringContaining(gone)] },
      ])
      expect(await notices()).toEqual([
        { status: 'sent', content: {} },
        { status: 'skipped', content: {} },
      ])
    },
  )

  it('has them in the export and the timeline', async () => {
    await rate(4, 'Muy bien')
    const file = await answer(await boss.request('GET', `/api/customers/${ana}/export`))
    expect((file.body.data ?? file.body).feedback).toMatchObject([
      { location: 'Retiro', score: 4, words: 'Muy bien' },
    ])
  })
})
