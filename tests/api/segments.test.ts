import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomation } from '../factories/messaging'
import type { Client } from '../support/app'
import { audienceOf } from '../support/audience'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let marketer: Client
let host: Client
let bound: Client
let boundMarketer: Client
let stranger: Client
const PATH = '/api/segments'
const VIP = { field: 'tags', is: 'any', tags: ['vip'] }
const PRESS = { field: 'tags', is: 'any', tags: ['prensa'] }

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  marketer = await g.hire('marketing')
  host = await g.hire('operaciones')
  bound = await g.hire('operaciones', 'Sur')
  boundMarketer = await g.hire('marketing', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
  await g.sql(
    `insert into public.customers (organization_id, first_name, tags, location_id, last_visit_at, total_visits)
     select $1::uuid, r.name, r.tags, r.location, r.visit, 1
     from jsonb_to_recordset($2::jsonb) as r (name text, tags text[], location uuid, visit timestamptz)`,
    [
      g.group.id,
      JSON.stringify([
        { name: 'Ana', tags: ['vip'], location: g.places.Norte, visit: '2026-11-01' },
        { name: 'Eva', tags: ['vip', 'prensa'], location: g.places.Sur, visit: '2026-11-03' },
        { name: 'Leo', tags: ['prensa'], location: g.places.Norte, visit: '2026-11-02' },
        { name: 'Mar', tags: [], location: g.places.Sur, visit: null },
      ]),
    ],
  )
  // Ana, who is of Norte, ate once in Sur; Eva, of Sur, twice in Norte.
  await g.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source)
     select $1::uuid, l.id, c.id, '2026-10-01', '21:00', 2, 'completed', 'manual'
     from (values ('Ana', 'Sur'), ('Eva', 'Norte'), ('Eva', 'Norte')) as v (guest, place)
     join public.customers c on c.first_name = v.guest and c.organization_id = $1
     join public.locations l on l.name = v.place and l.organization_id = $1`,
    [g.group.id],
  )
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql('delete from public.automations')
  await g.sql('delete from public.segments')
  await g.sql('delete from public.audit_log')
})

const make = async (client: Client, body: object) => {
  const made = await g.ask(client, 'POST', PATH, { name: 'Vips', definition: VIP, ...body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data as { id: string; version: number; definition: object }
}
const preview = async (client: Client, definition: object, id?: string) =>
  (await g.ask(client, 'POST', `${PATH}/preview`, { definition, ...(id ? { id } : {}) })).body.data
const firstNames = (list: { name: string }[]) => list.map(({ name }) => name)
const listed = async (client: Client, query: string) => {
  const { status, body } = await g.ask(client, 'GET', `/api/customers?${query}`)
  expect(status).toBe(200)
  return body.data.map((row: { first_name: string }) => row.first_name)
}

describe('a segment', () => {
  it('is made, read, changed and deleted, and the log has each', async () => {
    const made = await make(host, { name: ' Vips ', shared: true })
    expect(made).toMatchObject({ name: 'Vips', shared: true, mine: true, can_change: true, version: 1 })
    const path = `${PATH}/${made.id}`
    expect((await g.ask(boss, 'GET', path)).body.data).toMatchObject({ name: 'Vips', mine: false })
    const changed = await g.ask(host, 'PATCH', path, { definition: { not: VIP } })
    expect(changed.body.data).toMatchObject({ version: 2, definition: { not: VIP } })
    expect((await g.ask(host, 'PATCH', path, { name: 'Otros' })).body.data).toMatchObject({ version: 2 })
    expect((await g.ask(host, 'DELETE', path)).status).toBe(204)
    expect(await g.ask(host, 'GET', path)).toEqual(refusal('NOT_FOUND'))
    const lines = await g.sql<{ action: string; subject: string }>(
      'select action, subject from public.audit_log order by created_at, id',
    )
    expect(lines.map(({ action }) => action).sort()).toEqual([
      'segment.changed',
      'segment.changed',
      'segment.created',
      'segment.deleted',
    ])
  })

  it('is the owner’s own until it is shared', async () => {
    const { id } = await make(host, { name: 'Secreto' })
    for (const other of [boss, marketer, bound, stranger])
      for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
        expect(await g.ask(other, method, `${PATH}/${id}`, body)).toEqual(refusal('NOT_FOUND'))
    expect(await preview(boss, PRESS, id)).toBeUndefined()
    expect(await listed(boss, `segment_id=${id}`)).toEqual([])
    expect(await listed(host, `segment_id=${id}`)).toEqual(['Eva', 'Ana'])
    const [line] = await g.sql<{ text: string }>('select audit_log::text as text from public.audit_log')
    expect(line?.text).toContain('segment.created')
    expect(line?.text).not.toContain('Secreto')
    await g.ask(host, 'PATCH', `${PATH}/${id}`, { shared: true })
    const names = (await g.ask(bound, 'GET', PATH)).body.data.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Secreto'])
    expect((await g.ask(stranger, 'GET', PATH)).body.data).toEqual([])
  })

  it('when shared, is changed by its owner or by marketing of every location', async () => {
    const { id } = await make(host, { shared: true })
    const rename = (client: Client, name: string) => g.ask(client, 'PATCH', `${PATH}/${id}`, { name })
    const another = await g.hire('operaciones')
    for (const client of [another, bound, boundMarketer]) {
      expect(await rename(client, 'Suyo')).toEqual(refusal('FORBIDDEN'))
      expect(await g.ask(client, 'DELETE', `${PATH}/${id}`)).toEqual(refusal('FORBIDDEN'))
    }
    expect((await rename(marketer, 'De todos')).status).toBe(200)
    expect((await rename(host, 'Mío')).status).toBe(200)
  })

  it('has a name that no other shared one has', async () => {
    await make(host, { shared: true })
    expect((await g.ask(boss, 'POST', PATH, { name: 'Vips', shared: true, definition: VIP })).status).toBe(
      409,
    )
    await make(boss, {})
    const { id } = await make(marketer, {})
    expect(await g.ask(marketer, 'PATCH', `${PATH}/${id}`, { shared: true })).toEqual(
      refusal('ALREADY_EXISTS'),
    )
  })

  it('is not overwritten by someone who read it before another change', async () => {
    const { id } = await make(boss, { shared: true })
    await g.ask(marketer, 'PATCH', `${PATH}/${id}`, { definition: PRESS })
    const late = { definition: { not: VIP }, loaded: { definition: VIP } }
    const refused = await g.ask(boss, 'PATCH', `${PATH}/${id}`, late)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'EDITED_MEANWHILE', current: { definition: PRESS } })
    const merged = await g.ask(boss, 'PATCH', `${PATH}/${id}`, { name: 'Prensa', loaded: { name: 'Vips' } })
    expect(merged.body.data).toMatchObject({ name: 'Prensa', definition: PRESS })
  })

  it('is one of 200 at most', async () => {
    await g.sql(
      `insert into public.segments (organization_id, name, shared, definition)
       select $1::uuid, 's' || n, true, $2::jsonb from generate_series(1, 200) as n`,
      [g.group.id, JSON.stringify(VIP)],
    )
    expect(await g.ask(boss, 'POST', PATH, { name: 'Uno más', definition: VIP })).toEqual(
      refusal('TOO_MANY_SEGMENTS'),
    )
  })

  it('is not one of 200 that a colleague keeps to themselves, until these are shared', async () => {
    const hoarder = await g.group.person('operaciones')
    await g.sql(
      `insert into public.segments (organization_id, name, owner_id, definition)
       select $1::uuid, 's' || n, $2::uuid, $3::jsonb from generate_series(1, 200) as n`,
      [g.group.id, hoarder.id, JSON.stringify(VIP)],
    )
    const more = { name: 'Uno más', definition: VIP }
    expect(await g.ask(await signedIn(hoarder), 'POST', PATH, more)).toEqual(refusal('TOO_MANY_SEGMENTS'))
    const { id } = await make(boss, more)
    await g.sql(`update public.segments set shared = true where name like 's%'`)
    const share = { shared: true }
    expect(await g.ask(boss, 'PATCH', `${PATH}/${id}`, share)).toEqual(refusal('TOO_MANY_SEGMENTS'))
    expect((await g.ask(boss, 'PATCH', `${PATH}/${id}`, { name: 'Otro' })).status).toBe(200)
  })
})

describe('the guests of a segment', () => {
  it('are counted and shown, who came last first', async () => {
    const found = await preview(boss, { or: [VIP, PRESS] })
    expect(found).toMatchObject({ customers: 3 })
    expect(firstNames(found.first)).toEqual(['Eva', 'Leo', 'Ana'])
    expect(found.added).toBeUndefined()
  })

  it('say whom a change adds and drops, before it is saved', async () => {
    const { id } = await make(boss, { shared: true })
    const found = await preview(boss, PRESS, id)
    expect(found.customers).toBe(2)
    expect([found.added.customers, firstNames(found.added.first)]).toEqual([1, ['Leo']])
    expect([found.dropped.customers, firstNames(found.dropped.first)]).toEqual([1, ['Ana']])
    const same = await preview(boss, VIP, id)
    expect([same.customers, same.added, same.dropped]).toEqual([
      2,
      { customers: 0, first: [] },
      { customers: 0, first: [] },
    ])
  })

  it('are a list, with its other filters, its count, its file and its tags', async () => {
    const { id } = await make(boss, { shared: true, definition: { or: [VIP, PRESS] } })
    expect(await listed(boss, `segment_id=${id}`)).toEqual(['Eva', 'Leo', 'Ana'])
    expect(await listed(boss, `segment_id=${id}&tag=prensa&sort=name`)).toEqual(['Eva', 'Leo'])
    const counted = await g.ask(boss, 'GET', `/api/customers/count?segment_id=${id}`)
    expect(counted.body.data).toEqual({ customers: 3, more: false })
    const file = await boss.request('GET', `/api/customers/export?segment_id=${id}&language=en`)
    expect((await file.text()).trim().split('\r\n')).toHaveLength(4)
    const tagged = await g.ask(boss, 'POST', '/api/customers/tags', {
      ...{ action: 'add', tag: 'seleccionada' },
      filters: { segment_id: id },
    })
    expect(tagged.body.data.changed).toBe(3)
    await g.ask(boss, 'DELETE', `/api/customers/tags/${tagged.body.data.id}`)
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect(await listed(boss, `segment_id=${nobody}`)).toEqual([])
    expect(await listed(stranger, `segment_id=${id}`)).toEqual([])
    // The contract's parameter keeps its meaning.
    expect(await listed(boss, `segment_id=${id}&segment=no_show`)).toEqual([])
  })

  it('are those of their locations for people bound to some', async () => {
    const { id } = await make(boss, { shared: true, definition: { or: [VIP, PRESS] } })
    expect(await listed(bound, `segment_id=${id}`)).toEqual(['Eva'])
    expect(await preview(bound, { not: VIP }, id)).toMatchObject({
      customers: 1,
      added: { customers: 1 },
      dropped: { customers: 1 },
    })
    // Reservations of a location that is not theirs do not count.
    const period = { from: '2026-09-01', to: '2026-12-31' }
    const came = { field: 'visits', min: 1, period }
    expect(firstNames((await preview(boss, came)).first)).toEqual(['Eva', 'Ana'])
    expect(firstNames((await preview(bound, came)).first)).toEqual([])
    // What was written or answered there, and how they came, does not count either.
    const { Norte, Sur } = g.places
    await g.sql(
      `with answered as (
         insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, language, answered_at)
         select $1::uuid, r.location_id, r.customer_id, r.id, 5, 'es', now() from public.reservations r
         where r.organization_id = $1
       ), written as (
         insert into public.messages (organization_id, kind, purpose, customer_id, location_id, channel, status, dedupe_key, sent_at)
         select $1, 'marketing', 'birthday', c.id, l.id, 'email', 'sent', l.id::text, now()
         from public.customers c, unnest(array[$2::uuid, $3::uuid]) as l (id)
         where c.organization_id = $1 and c.first_name = case l.id when $2 then 'Eva' else 'Mar' end returning id
       )
       insert into public.message_engagement (message_id, kind, link, actor, first_at, times)
       select id, 'click', 'https://grupo.example', 'person', now(), 1 from written`,
      [g.group.id, Norte, Sur],
    )
    const thursday = { field: 'visited_on', weekdays: [4], shift: 'dinner' }
    for (const [definition, all, own] of [
      [{ field: 'received' }, ['Eva', 'Mar'], ['Mar']],
      [{ field: 'opened', days: 1 }, ['Eva', 'Mar'], ['Mar']],
      [{ field: 'clicked' }, ['Eva', 'Mar'], ['Mar']],
      [{ field: 'not_written', days: 1 }, ['Leo', 'Ana'], ['Eva']],
      [{ field: 'survey_score', min: 5 }, ['Eva', 'Ana'], []],
      [{ field: 'party_size', min: 2, max: 2 }, ['Eva', 'Ana'], []],
      [{ field: 'first_visit', period }, ['Eva', 'Ana'], []],
      [thursday, ['Eva', 'Ana'], []],
    ] as const) {
      expect(firstNames((await preview(boss, definition)).first), JSON.stringify(definition)).toEqual(all)
      expect(firstNames((await preview(bound, definition)).first), JSON.stringify(definition)).toEqual(own)
    }
    await g.sql('delete from public.messages where organization_id = $1', [g.group.id])
    await g.sql('delete from public.feedback where organization_id = $1', [g.group.id])
    const inNorte = { field: 'visits', min: 2, locations: [g.places.Norte] }
    expect(firstNames((await preview(boss, inNorte)).first)).toEqual(['Eva'])
    expect(firstNames((await preview(bound, inNorte)).first)).toEqual([])
  })
})

describe('automations', () => {
  const FIELDS = { name: 'Vuelve', type: 'reengagement', channel: 'email', subject: 'Hola', body: 'Hola' }
  const automate = (client: Client, segment_id: string) =>
    g.ask(client, 'POST', '/api/automations', { ...FIELDS, criteria: { inactive_days: 1, segment_id } })

  it('write to the guests of a shared segment alone', async () => {
    const { id } = await make(boss, { shared: true, definition: PRESS })
    await g.sql(`update public.customers set email = lower(first_name) || '@correo.example'`)
    const made = await automate(boss, id)
    expect(made.body.data.criteria).toEqual({ inactive_days: 1, min_visits: 1, segment_id: id })
    const audience = async () =>
      g.sql<{ name: string }>(
        'select first_name as name from public.customers where id = any($1) order by 1',
        [(await audienceOf(g, made.body.data.id, '2026-12-01')).map(({ customer_id }) => customer_id)],
      )
    expect(firstNames(await audience())).toEqual(['Eva', 'Leo'])
    const draft = { ...FIELDS, name: undefined, criteria: { inactive_days: 1, segment_id: id } }
    const shown = await g.ask(boss, 'POST', '/api/automations/preview', draft)
    expect(shown.body.data.matched).toBe(2)
    // Should it be gone all the same, nobody is written to.
    await g.sql('delete from public.segments')
    expect(await audience()).toEqual([])
  })

  it('name no segment that others cannot read', async () => {
    const { id } = await make(marketer, {})
    const refused = await automate(marketer, id)
    expect(refused.body).toMatchObject({
      code: 'INVALID_INPUT',
      issues: [{ path: 'criteria.segment_id', code: 'unknown' }],
    })
    const foreign = await make(stranger, { shared: true })
    expect((await automate(boss, foreign.id)).status).toBe(400)
  })

  it('keep the segment that they use, shared and there', async () => {
    const { id } = await make(host, { shared: true })
    const made = await automate(boss, id)
    const path = `${PATH}/${id}`
    const gone = await g.ask(boss, 'DELETE', path)
    expect(gone.status).toBe(409)
    expect(gone.body).toMatchObject({
      code: 'SEGMENT_IN_USE',
      in_use: { total: 1, campaigns: [], automations: [{ id: made.body.data.id, name: 'Vuelve' }] },
    })
    // Its owner has no marketing: how many, without their names.
    expect((await g.ask(host, 'DELETE', path)).body.in_use).toEqual({
      total: 1,
      campaigns: [],
      automations: [],
    })
    expect(await g.ask(boss, 'PATCH', path, { shared: false })).toEqual(refusal('SEGMENT_IN_USE'))
    await g.ask(boss, 'DELETE', `/api/automations/${made.body.data.id}`)
    expect((await g.ask(boss, 'DELETE', path)).status).toBe(204)
  })

  it('are not redirected by someone who may not change them', async () => {
    const { id } = await make(host, { shared: true })
    const own = await make(boundMarketer, { name: 'De Sur', shared: true })
    await automate(boss, id)
    await createAutomation(g.app.stack, g.group.id, {
      type: 'birthday',
      criteria: { segment_id: own.id },
    })
    for (const [client, segment] of [
      [host, id],
      [boundMarketer, own.id],
    ] as const) {
      const change = (body: object) => g.ask(client, 'PATCH', `${PATH}/${segment}`, body)
      expect(await change({ definition: PRESS })).toEqual(refusal('FORBIDDEN'))
      expect((await change({ name: `Mío ${segment}` })).status).toBe(200)
    }
    expect((await g.ask(marketer, 'PATCH', `${PATH}/${id}`, { definition: PRESS })).status).toBe(200)
  })
})

describe('what is refused', () => {
  const deep = (groups: number): object => (groups === 0 ? VIP : { not: deep(groups - 1) })
  const bad: [string, unknown][] = [
    ['nothing', null],
    ['an empty group', { and: [] }],
    ['two kinds at once', { and: [VIP], or: [VIP] }],
    ['an unknown field', { field: 'password', is: 'any' }],
    ['an unknown operator', { ...VIP, is: 'like' }],
    ['a field too many', { ...VIP, sql: '1=1' }],
    ['no tags', { ...VIP, tags: [] }],
    ['51 tags', { ...VIP, tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }],
    ['a tag of 61 characters', { ...VIP, tags: ['x'.repeat(61)] }],
    ['an id that is none', { field: 'tier', tiers: [`' or true --`] }],
    ['a number that is a text', { field: 'points', min: '1' }],
    ['no bound', { field: 'visits' }],
    ['bounds the wrong way round', { field: 'spend', min: 2, max: 1 }],
    ['days out of range', { field: 'last_visit', is: 'before', days: 4000 }],
    ['no such day', { field: 'created', is: 'between', from: '2026-02-30' }],
    [
      'an end before the start',
      { field: 'visits', min: 1, period: { from: '2026-02-02', to: '2026-02-01' } },
    ],
    ['the thirteenth month', { field: 'birthday', is: 'month', month: 13 }],
    ['an unknown fact', { field: 'facts', is: 'any', codes: ['plutonium'] }],
    ['an unknown channel', { field: 'consent', channel: 'fax', state: 'reachable' }],
    ['a campaign by its name', { field: 'received', campaign_id: 'Otoño' }],
    ['an automation by its name', { field: 'clicked', automation_id: 'Otoño' }],
    ['no days of a message', { field: 'opened', days: 0 }],
    ['a channel of a message', { field: 'received', channel: 'sms' }],
    ['not written for no days', { field: 'not_written' }],
    ['not written for ever', { field: 'not_written', days: 3651 }],
    ['no score', { field: 'survey_score', days: 30 }],
    ['six stars', { field: 'survey_score', min: 6 }],
    ['no weekday', { field: 'visited_on', weekdays: [] }],
    ['an eighth weekday', { field: 'visited_on', weekdays: [8] }],
    ['half a weekday', { field: 'visited_on', weekdays: [1.5] }],
    ['a weekday as a word', { field: 'visited_on', weekdays: ['lunes'] }],
    ['breakfast', { field: 'visited_on', weekdays: [1], shift: 'breakfast' }],
    ['a birthday in 367 days', { field: 'birthday_within', days: 367 }],
    ['a birthday within no days', { field: 'birthday_within' }],
    ['a month before the first', { field: 'birthday_month', month: 0 }],
    ['another word for a month', { field: 'birthday_month', month: 'last' }],
    ['no postal codes', { field: 'postal_code', prefixes: [] }],
    ['an empty postal code', { field: 'postal_code', prefixes: [' '] }],
    ['a postal code of 13 characters', { field: 'postal_code', prefixes: ['2'.repeat(13)] }],
    ['no cities', { field: 'city', any: [] }],
    ['an empty city', { field: 'city', any: ['Madrid', '\u0301'] }],
    ['a city of 121 characters', { field: 'city', any: ['x'.repeat(121)] }],
    ['a city without a list', { field: 'city', any: 'Madrid' }],
    ['no languages', { field: 'language', any: [] }],
    ['a language that is none', { field: 'language', any: ['es', 'ru'] }],
    ['a language with a region', { field: 'language', any: ['fr-FR'] }],
    ['a party of nobody', { field: 'party_size', min: 0 }],
    ['a party of 1000', { field: 'party_size', max: 1000 }],
    ['no size of a party', { field: 'party_size' }],
    ['no period of a first visit', { field: 'first_visit' }],
    ['an open period of a first visit', { field: 'first_visit', period: {} }],
    ['six groups deep', deep(6)],
    ['51 conditions', { and: [{ or: Array(25).fill(VIP) }, { or: Array(26).fill(VIP) }] }],
  ]
  it.each(bad)('%s', async (_, definition) => {
    const { status, body } = await g.ask(boss, 'POST', `${PATH}/preview`, { definition })
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
    const saved = await g.ask(boss, 'POST', PATH, { name: 'Malo', definition })
    expect(saved.status).toBe(400)
  })

  it('neither by the database itself', async () => {
    for (const [name, definition] of bad) {
      // What the database reads over is refused by the API alone.
      if (
        [
          'a field too many',
          'two kinds at once',
          'a tag of 61 characters',
          'a channel of a message',
          'a postal code of 13 characters',
          'a city of 121 characters',
          'bounds the wrong way round',
          'an end before the start',
          'an unknown fact',
          'a number that is a text',
        ].includes(name)
      )
        continue
      const asked = g.sql(
        `select private.segment_query($2::jsonb, private.segment_scope_of($1::uuid, now(), false))`,
        [g.group.id, JSON.stringify(definition)],
      )
      await expect(asked, name).rejects.toThrow()
    }
  })

  it('not what is at the limit', async () => {
    for (const definition of [deep(5), { and: [{ or: Array(25).fill(VIP) }, { or: Array(25).fill(VIP) }] }])
      expect((await g.ask(boss, 'POST', `${PATH}/preview`, { definition })).status).toBe(200)
  })
})

describe('hostile values', () => {
  const HOSTILE = [
    `' or true --`,
    `'); drop table public.customers; --`,
    '%s %L $1 $2',
    '{vip}',
    '"',
    '\\',
    "E'\\''",
  ]
  it.each(HOSTILE)('%s is a value and nothing else', async (value) => {
    for (const definition of [
      { field: 'tags', is: 'any', tags: [value] },
      { field: 'source', sources: [value] },
      { field: 'search', text: value },
    ]) {
      const { status, body } = await g.ask(boss, 'POST', `${PATH}/preview`, { definition })
      expect([status, body.data.customers]).toEqual([200, 0])
    }
    await g.sql(`update public.customers set tags = tags || $1::text where first_name = 'Mar'`, [value])
    const found = await preview(boss, { field: 'tags', is: 'all', tags: [value] })
    expect(firstNames(found.first)).toEqual(['Mar'])
    await g.sql(`update public.customers set tags = '{}' where first_name = 'Mar'`)
  })
})
