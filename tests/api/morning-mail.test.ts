import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendMorningMails } from '@/lib/morning/mail'
import type { Person } from '../factories/group'
import { createCustomer, createReservation } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { arrangeNotices, type Notices } from '../support/notices'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const DAY = '2026-11-20'
/** Half past eight in Madrid, half past seven in the Canary Islands. */
const HALF_PAST_EIGHT = `${DAY}T07:30:00.000Z`

let app: TestApp
let place: Notices
let manager: Person
let bound: Person
let client: Client
const sql = (text: string, values: unknown[] = []) => app.stack.sql(text, values)

beforeAll(async () => {
  app = await startApp()
  place = await arrangeNotices(app.stack)
  // The group's time zone is that of its first location.
  await sql(`update public.locations set created_at = created_at - interval '1 day' where id = $1`, [
    place.location('Norte'),
  ])
  manager = await place.group.person('operaciones')
  bound = await place.group.person('operaciones', [place.location('Canarias')])
  client = await signedIn(manager)
})
afterEach(async () => {
  await place.clear()
  await sql('update public.profiles set morning_mail_hour = null')
  await sql(emptyTables('reservations', 'customers', 'shift_notes', 'messages'))
  await sql('delete from public.job_runs')
})
afterAll(() => app?.close())

const wants = (person: Person, hour: number | null = 8) =>
  sql('update public.profiles set morning_mail_hour = $2 where id = $1', [person.id, hour])
const send = (now = HALF_PAST_EIGHT) => sendMorningMails(place.context(now))
const runs = () => sql(`select status, result from public.job_runs where job = 'morning-mails'`)

describe('the choice', () => {
  const choose = (hour: unknown, who = client) =>
    who.request('PUT', '/api/account/morning-mail', { body: { hour } }).then(answer)

  it('is off until the person makes it, and theirs alone', async () => {
    const now = await client.request('GET', '/api/account/morning-mail').then(answer)
    expect(now.body).toEqual({ data: { hour: null, timezone: 'Europe/Madrid' } })
    expect((await choose(9)).body).toEqual({ data: { hour: 9, timezone: 'Europe/Madrid' } })
    const [row] = await sql(
      'select count(*)::int as others from public.profiles where morning_mail_hour is not null',
    )
    expect(row).toEqual({ others: 1 })
    expect((await choose(null)).body).toMatchObject({ data: { hour: null } })
  })

  it('is in the time zone of where the person works', async () => {
    const { body } = await (await signedIn(bound)).request('GET', '/api/account/morning-mail').then(answer)
    expect(body).toEqual({ data: { hour: null, timezone: 'Atlantic/Canary' } })
  })

  it('is an hour of the morning', async () => {
    for (const hour of [5, 13, 7.5, '8', undefined]) expect(await choose(hour)).toEqual(invalid('hour'))
  })
})

describe('the e-mail', () => {
  it('goes once a day to who asked for it, when their hour has struck', async () => {
    await wants(manager)
    await send(`${DAY}T06:59:00.000Z`)
    expect(await place.messages()).toEqual([])
    expect(await runs()).toEqual([])
    await Promise.all([send(), send()])
    await send(`${DAY}T09:00:00.000Z`)
    expect(await place.messages()).toMatchObject([
      { kind: 'notification', channel: 'email', recipient: manager.email, customer_id: null, status: 'sent' },
    ])
    expect(await runs()).toMatchObject([{ status: 'succeeded', result: { queued: 1, sent: 1, failed: 0 } }])
    // Another hour of the same day is no reason for a second one.
    await wants(manager, 10)
    await send(`${DAY}T10:00:00.000Z`)
    expect(await place.messages()).toHaveLength(1)
    await send('2026-11-21T09:30:00.000Z')
    expect(await place.messages()).toHaveLength(2)
  })

  it('goes by the hour of the person’s own time zone', async () => {
    await wants(bound)
    await send()
    expect(await place.messages()).toEqual([])
    await send(`${DAY}T08:00:00.000Z`)
    expect(await place.recipients()).toEqual([bound.email])
  })

  it('does not come once the morning is over', async () => {
    await wants(manager)
    await send(`${DAY}T13:00:00.000Z`)
    expect(await place.messages()).toEqual([])
  })

  it('says what the page says, of the person’s locations, without what an allergy is about', async () => {
    const ana = await createCustomer(app.stack, place.group.id, { first_name: 'Ana', last_name: 'Ruiz' })
    await sql(
      `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
       values ($1, $2, 'nuts', 'allergy', 'x')`,
      [place.group.id, ana],
    )
    const booked = { customer_id: ana, customer_name: 'Ana Ruiz', party_size: 4, reservation_time: '21:00' }
    const row = { ...booked, reservation_date: '2026-11-19', status: 'completed', total_amount: 90 }
    await createReservation(app.stack, place.group.id, { ...row, location_id: place.location('Norte') })
    await createReservation(app.stack, place.group.id, {
      ...{ ...booked, reservation_date: DAY, status: 'confirmed', notes: 'Lleva adrenalina' },
      location_id: place.location('Norte'),
    })
    await sql(
      `insert into public.shift_notes (organization_id, location_id, day, body, author_name)
       values ($1, $2, '2026-11-19', 'Se acabó el pan', 'Lucía')`,
      [place.group.id, place.location('Norte')],
    )
    await wants(manager)
    await wants(bound, 7)
    await send()
    const texts = Object.fromEntries(
      (await sql('select recipient, content from public.messages')).map((message) => {
        const { recipient, content } = message as {
          recipient: string
          content: { subject: string; body: string }
        }
        return [recipient, content]
      }),
    )
    const whole = texts[manager.email]
    expect(whole?.subject).toBe('Informe de la mañana: viernes, 20 de noviembre de 2026')
    for (const text of [
      'Comensales: 4',
      'Se acabó el pan (Norte',
      '21:00 Ana Ruiz (4) · Norte: Alergia o intolerancia',
    ])
      expect(whole?.body).toContain(text)
    expect(whole?.body).not.toMatch(/frutos secos|adrenalina/)
    const part = texts[bound.email]
    expect(part?.body).toContain('Canarias')
    expect(part?.body).not.toMatch(/Norte|Ana Ruiz|pan/)
  })

  it('ends with the right to read the report', async () => {
    await wants(manager)
    await sql(`update public.profiles set role = 'rrhh' where id = $1`, [manager.id])
    await send()
    expect(await place.messages()).toEqual([])
    await sql(`update public.profiles set role = 'operaciones' where id = $1`, [manager.id])
    // Written before, and still in the queue when the role ends.
    const parameters = { p_organization: place.group.id, p_now: HALF_PAST_EIGHT, p_limit: 10 }
    await place.context().db.rpc('queue_morning_mails', parameters).throwOnError()
    expect(await place.messages()).toMatchObject([{ status: 'queued' }])
    await sql(`update public.profiles set role = 'rrhh' where id = $1`, [manager.id])
    expect(await place.messages()).toMatchObject([{ status: 'skipped', content: {} }])
    await sql(`update public.profiles set role = 'operaciones' where id = $1`, [manager.id])
  })

  it('is forgotten with the guest it names', async () => {
    const boss = await signedIn(place.people.boss)
    const ana = await createCustomer(app.stack, place.group.id, { first_name: 'Ana', last_name: 'Ruiz' })
    await sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time, party_size)
       values ($1, $2, $3, '2026-10-01', '21:00', 2)`,
      [place.group.id, place.location('Norte'), ana],
    )
    await sql(
      `insert into public.shift_notes (organization_id, location_id, day, body, author_name)
       values ($1, $2, '2026-11-19', 'Vuelve Ana Ruiz a por su abrigo', 'Lucía')`,
      [place.group.id, place.location('Norte')],
    )
    await wants(manager)
    await send()
    const erased = await boss.request('DELETE', `/api/customers/${ana}`)
    expect(erased.status).toBe(204)
    expect(await place.messages()).toMatchObject([{ status: 'sent', content: {} }])
    expect(await sql('select body from public.shift_notes')).toEqual([{ body: 'Vuelve […] a por su abrigo' }])
  })

  it('of an empty group says so', async () => {
    const foreign = place.people.foreignAdmin
    await wants(foreign)
    await send()
    const [message] = await sql('select content from public.messages where recipient = $1', [foreign.email])
    expect(JSON.stringify(message)).toContain('Todavía no trabajas en ningún local')
  })
})

it('what is a month old says nothing of guests any more', async () => {
  await wants(manager)
  await send()
  await sql(`update public.messages set created_at = now() - interval '31 days'`)
  await sql('select public.tidy_up($1, now(), 1000)', [place.group.id])
  expect(await place.messages()).toMatchObject([{ status: 'sent', content: {} }])
})
