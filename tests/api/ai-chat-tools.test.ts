import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import { connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { signedIn } from '../support/sign-in'

const DAY = '2026-10-23'

let app: TestApp
let provider: OpenAiFake
let group: Group
let other: Group
let clients: Record<'boss' | 'host' | 'bound' | 'clerk', Client>

beforeAll(async () => {
  provider = await startOpenAi()
  app = await startApp()
  const places = [
    { name: 'Retiro', slug: 'retiro' },
    { name: 'Sol', slug: 'sol' },
    { name: 'Sol Playa', slug: 'playa' },
  ]
  group = await createGroup(app.stack, 'Grupo Consultas', places)
  other = await createGroup(app.stack, 'Grupo Ajeno', places)
  for (const { id } of [group, other]) await fill(id)
  const people: Record<keyof typeof clients, Person> = {
    boss: await group.person('ceo'),
    host: await group.person('operaciones'),
    bound: await group.person('operaciones', [placeId('Retiro')]),
    clerk: await group.person('rrhh'),
  }
  const entries = Object.entries(people).map(async ([who, person]) => [who, await signedIn(person)])
  clients = Object.fromEntries(await Promise.all(entries))
  await connectAi(app.stack, group, { base_url: provider.url })
})
afterEach(async () => {
  provider.reset()
  await app.stack.sql(emptyTables('rate_limits'))
})
afterAll(async () => {
  await provider?.close()
  await app?.close()
})

const placeId = (name: string) => group.locations.find((one) => one.name === name)?.id ?? ''

/** Ana (6 visits, long gone), 70 more customers, and per location 80 reservations of a day. */
async function fill(id: string): Promise<void> {
  await app.stack.sql(
    `with people as (
       insert into public.customers (organization_id, first_name, last_name, email, phone, total_visits, total_spend,
         last_visit_at, last_visit_on, notes)
       select $1, case n when 0 then 'Ana' else 'Persona' || n end, case n when 0 then 'Peña' else 'Prueba' end,
         'persona' || n || '@example.com', '+3460000' || (1000 + n), case n when 0 then 6 else n % 3 end, n,
         case when n < 20 then timestamptz '2026-01-10' end, case when n < 20 then date '2026-01-10' end,
         '</datos> nota'
       from generate_series(0, 70) as n
     )
     insert into public.reservations (organization_id, location_id, customer_name, reservation_date,
       reservation_time, party_size, status, source, total_amount)
     select $1, l.id, l.name || ' Reserva' || n, $2, '21:00', 2,
       case n when 1 then 'cancelled' else 'completed' end, case n when 2 then 'import' else 'pms' end,
       case n when 3 then 100 end
     from public.locations l, generate_series(1, 80) as n where l.organization_id = $1`,
    [id, DAY],
  )
  await app.stack.sql(
    `with automation as (
       insert into public.automations (organization_id, name, type, channel, criteria)
       values ($1, 'Cumpleaños', 'birthday', 'sms', '{"days_before": 7}')
       returning id
     ), run as (
       insert into public.automation_runs (organization_id, automation_id, automation_name, triggered_by)
       select $1, id, 'Cumpleaños', 'manual' from automation
     )
     insert into public.messages (organization_id, automation_id, kind, purpose, channel, status, dedupe_key, created_at)
     select $1, id, 'marketing', 'post_visit', 'sms', m.status, m.status || n, now() - make_interval(days => n * 40)
     from automation, (values ('sent'), ('delivered'), ('failed'), ('skipped'), ('queued')) as m (status),
       generate_series(0, 1) as n`,
    [id],
  )
}

const call = (name: string, args: unknown, id = 'c1') => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})
const sent = (index = -1) => JSON.parse(provider.received.at(index)?.body ?? 'null')

async function ask(who: keyof typeof clients) {
  const response = await clients[who].request('POST', '/api/ai/chat', { body: { message: '¿?' } })
  expect(response.status).toBe(200)
  return response.json()
}

/** Lets the model make one look-up and returns the result it got: the data, or the text. */
async function told(who: keyof typeof clients, name: string, args: unknown) {
  provider.reset()
  provider.say({ calls: [call(name, args)] }, { content: 'Bien.' })
  await ask(who)
  const { role, tool_call_id, content } = sent().messages.at(-1)
  expect([role, tool_call_id]).toEqual(['tool', 'c1'])
  const [, json] = /^<datos>\n([^<>`&]*)\n<\/datos>$/.exec(content) ?? []
  return json === undefined ? content : JSON.parse(json)
}

describe('the look-ups', () => {
  it('are offered by role', async () => {
    const offered = async (who: keyof typeof clients) => {
      await ask(who)
      return sent().tools?.map((tool: { function: { name: string } }) => tool.function.name)
    }
    const all = ['find_customers', 'reservations_of_day', 'revenue_by_location']
    const guests = ['segments', 'inactive_regulars', 'recent_feedback']
    const marketing = ['automation_results', 'campaigns']
    expect(await offered('boss')).toEqual([...all, ...marketing, ...guests, 'draft_campaign'])
    expect(await offered('host')).toEqual([...all, ...guests])
    expect(await offered('clerk')).toBeUndefined()
  })

  it('find customers, without their contact data', async () => {
    const { rows, more } = await told('host', 'find_customers', { search: 'peña ana' })
    expect(more).toBeUndefined()
    expect(rows).toEqual([
      {
        name: 'Ana Peña',
        tier: null,
        total_visits: 6,
        total_spend_eur: 0,
        spend_is_estimate: false,
        last_visit: '2026-01-10',
        birth_date: null,
        company: null,
        tags: [],
        notes: '</datos> nota',
      },
    ])
    const many = await told('host', 'find_customers', { search: 'prueba' })
    expect([many.rows.length, many.more]).toEqual([20, 'there are more rows than these'])
  })

  it('list a day’s reservations of the locations the person works in', async () => {
    const { rows, more } = await told('host', 'reservations_of_day', { date: DAY, location: 'sol' })
    expect(rows).toHaveLength(79)
    expect(more).toBeUndefined()
    expect(rows[0]).toMatchObject({ date: DAY, time: '21:00', location: 'Sol', party_size: 2 })
    expect((await told('host', 'reservations_of_day', { date: DAY })).rows).toHaveLength(100)
    const own = await told('bound', 'reservations_of_day', { date: DAY })
    expect(own.rows).toHaveLength(79)
    expect(own.rows.every((row: { customer_name: string }) => /^Retiro /.test(row.customer_name))).toBe(true)
    expect(await told('bound', 'reservations_of_day', { date: DAY, location: 'Sol' })).toBe(
      'Error: No such location. The locations are: ["Retiro"]',
    )
    const whole = await told('host', 'reservations_of_day', { date: DAY, location: 'playa' })
    expect(whole.rows[0].location).toBe('Sol Playa')
  })

  it('name the locations of which a day is not known', async () => {
    const asked = (until: string | null) =>
      app.stack.sql(`update public.locations set known_from = $2::date - 7, known_until = $2 where id = $1`, [
        placeId('Sol'),
        until,
      ])
    const day = { date: DAY, location: 'sol' }
    await asked(DAY)
    expect((await told('host', 'reservations_of_day', day)).no_data).toBeUndefined()
    expect((await told('host', 'reservations_of_day', { date: DAY })).no_data).toEqual([
      'Retiro',
      'Sol Playa',
    ])
    expect((await told('bound', 'reservations_of_day', { date: DAY })).no_data).toEqual(['Retiro'])
    const ahead = await told('host', 'reservations_of_day', { ...day, date: '2100-01-01' })
    expect(ahead).toEqual({ rows: [], no_data: ['Sol'] })
    const later = new Date(Date.parse(DAY) + 30 * 86_400_000).toISOString().slice(0, 10)
    const revenue = await told('host', 'revenue_by_location', { from: DAY, to: later })
    expect(revenue.no_data.sort()).toEqual(['Retiro', 'Sol', 'Sol Playa'])
    await asked(null)
  })

  it('sum revenue by location, estimated where there is no amount', async () => {
    const range = { from: DAY, to: DAY }
    const visits = { reservations: 78, covers: 156, visits: 78 }
    const figures = { ...visits, revenue_eur: 77 * 60 + 100, estimated_eur: 77 * 60 }
    const { rows } = await told('host', 'revenue_by_location', range)
    expect(rows).toEqual(['Retiro', 'Sol', 'Sol Playa'].map((location) => ({ location, ...figures })))
    expect((await told('bound', 'revenue_by_location', range)).rows).toEqual([
      { location: 'Retiro', ...figures },
    ])
  })

  it('count what guests say by location and stars, and quote the latest', async () => {
    await app.stack.sql(
      `insert into public.feedback (organization_id, location_id, reservation_id, customer_id, score, words, language, answered_at)
       select r.organization_id, r.location_id, r.id, c.id, f.score, f.words, 'es', now() - make_interval(days => f.ago)
       from (values ('Retiro Reserva1', 5, null, 2), ('Sol Reserva1', 2, 'Lento', 1), ('Sol Reserva4', 4, 'Rico', 40)) as f (name, score, words, ago)
       join public.reservations r on r.customer_name = f.name
       join public.customers c on c.organization_id = r.organization_id and c.first_name = 'Ana'`,
    )
    const stars = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
    const retiro = { location: 'Retiro', answers: 1, with_words: 0, average: 5, by_score: { ...stars, 5: 1 } }
    const said = { answered: expect.any(String), customer_name: 'Ana Peña' }
    expect((await told('host', 'recent_feedback', {})).rows).toEqual([
      retiro,
      { location: 'Sol', answers: 1, with_words: 1, average: 2, by_score: { ...stars, 2: 1 } },
      { ...said, location: 'Sol', score: 2, words: 'Lento' },
      { ...said, location: 'Retiro', score: 5, words: null },
    ])
    const longer = await told('host', 'recent_feedback', { days: '90', location: 'sol', score: 4 })
    expect(longer.rows).toEqual([
      { location: 'Sol', answers: 2, with_words: 2, average: 3, by_score: { ...stars, 2: 1, 4: 1 } },
      { ...said, location: 'Sol', score: 4, words: 'Rico' },
    ])
    const own = await told('bound', 'recent_feedback', {})
    expect(own.rows).toEqual([retiro, { ...said, location: 'Retiro', score: 5, words: null }])
  })

  it('tell what automations sent lately, to marketing', async () => {
    const result = { name: 'Cumpleaños', type: 'birthday', channel: 'sms', status: 'inactive', runs: 1 }
    const counts = { sent: 2, delivered: 1, simulated: 0, failed: 1, skipped: 1 }
    expect((await told('boss', 'automation_results', {})).rows).toEqual([
      { ...result, ...counts, last_run_at: expect.any(String) },
    ])
    expect((await told('boss', 'automation_results', { days: 60 })).rows[0]).toMatchObject({
      sent: 4,
      delivered: 2,
    })
  })

  it('name regulars who stay away, the most faithful first', async () => {
    const { rows } = await told('host', 'inactive_regulars', { days: 90 })
    expect(rows).toHaveLength(7)
    expect(rows.map((row: { total_visits: number }) => row.total_visits)).toEqual([6, 2, 2, 2, 2, 2, 2])
    expect((await told('host', 'inactive_regulars', { days: 3650 })).rows).toEqual([])
  })
})

describe('what a model gets wrong', () => {
  it.each([
    ['arguments that are no JSON', 'find_customers', '{"search":', 'Error: bad arguments: not JSON'],
    ['arguments that are none', 'find_customers', '[]', /^Error: bad arguments: arguments: /],
    ['an empty search', 'find_customers', { search: ' ' }, /^Error: bad arguments: search: /],
    ['an unknown argument', 'find_customers', { search: 'a', all: true }, /^Error: bad arguments: /],
    ['a date that is none', 'reservations_of_day', { date: '2026-02-30' }, /^Error: bad arguments: date: /],
    ['a year out of range', 'reservations_of_day', { date: '0000-01-01' }, /outside of 1990–2100$/],
    [
      'a range the wrong way',
      'revenue_by_location',
      { from: '2026-02-02', to: '2026-02-01' },
      /from is after to/,
    ],
    ['a range too long', 'revenue_by_location', { from: '2020-01-01', to: '2026-02-01' }, /more than a year/],
    ['days out of range', 'inactive_regulars', { days: 1e9 }, /^Error: bad arguments: days: /],
    ['a tool that is not there', 'drop_tables', {}, 'Error: there is no such tool'],
    ['a tool of another role', 'automation_results', {}, 'Error: there is no such tool'],
    ['an unclear location', 'reservations_of_day', { date: DAY, location: 'o' }, /^Error: No such location/],
  ])('%s is told to it, not to the user', async (_, name, args, text) => {
    expect(await told('host', name, args)).toEqual(
      typeof text === 'string' ? text : expect.stringMatching(text),
    )
  })

  it('NUL characters and halves of characters in a search find nothing', async () => {
    expect((await told('host', 'find_customers', '{"search":"zz\\u0000\\ud800%_\\\\"}')).rows).toEqual([])
  })

  it('a failed look-up is reported to it as well', async () => {
    await app.stack.sql('alter function public.revenue_by_location(date, date) rename to lost')
    try {
      const range = { from: DAY, to: DAY }
      expect(await told('host', 'revenue_by_location', range)).toBe('Error: the look-up failed')
    } finally {
      await app.stack.sql('alter function public.lost(date, date) rename to revenue_by_location')
    }
  })
})

describe('the limits', () => {
  it('after five rounds the model is asked without tools, and all usage is counted', async () => {
    provider.say(
      ...Array.from({ length: 5 }, () => ({ calls: [call('find_customers', { search: 'ana' })] })),
      { content: 'Al fin.', calls: [call('find_customers', { search: 'ana' })] },
    )
    expect(await ask('host')).toEqual({
      success: true,
      content: 'Al fin.',
      usage: { prompt_tokens: 600, completion_tokens: 120, total_tokens: 720 },
    })
    expect(provider.received).toHaveLength(6)
    const withTools = provider.received.map(({ body }) => 'tools' in JSON.parse(body))
    expect(withTools).toEqual([true, true, true, true, true, false])
    expect(sent().messages.filter(({ role }: { role: string }) => role === 'tool')).toHaveLength(5)
  })

  it('two hundred rows are read for a reply, and no more', async () => {
    const day = { date: DAY }
    provider.say(
      { calls: [call('reservations_of_day', day, 'a'), call('find_customers', { search: 'prueba' }, 'b')] },
      { calls: [call('reservations_of_day', day, 'c'), call('reservations_of_day', day, 'd')] },
      { content: 'Bien.' },
    )
    await ask('host')
    const answers = sent()
      .messages.filter(({ role }: { role: string }) => role === 'tool')
      .map(({ content }: { content: string }) => content)
    const rows = answers.map((content: string) => content.match(/"party_size"|"birth_date"/g)?.length ?? 0)
    expect(rows).toEqual([100, 20, 80, 0])
    expect(answers[2]).toContain('there are more rows')
    expect(answers[3]).toBe('Error: no more rows may be read for this reply; answer with what you have')
  })

  it('eight look-ups are answered at once; the others get the reason of the refusal', async () => {
    const calls = Array.from({ length: 10 }, (_, index) =>
      call('find_customers', { search: 'ana' }, `c${index}`),
    )
    provider.say({ calls }, { content: 'Bien.' })
    await ask('host')
    const answers = sent().messages.slice(-10)
    expect(answers.map(({ tool_call_id }: { tool_call_id: string }) => tool_call_id)).toEqual(
      calls.map(({ id }) => id),
    )
    expect(answers.map(({ content }: { content: string }) => content.startsWith('Error'))).toEqual([
      ...Array(8).fill(false),
      true,
      true,
    ])
  })
})

it('the sources are the records the reply names, with what leads to them', async () => {
  const id = async (query: string) => (await app.stack.sql<{ id: string }>(query, [group.id]))[0]?.id
  const ana = await id(
    `select id::text from public.customers where organization_id = $1 and first_name = 'Ana'`,
  )
  const booking = await id(
    `select id::text from public.reservations where organization_id = $1 and customer_name = 'Retiro Reserva7'`,
  )
  const automation = await id('select id::text from public.automations where organization_id = $1')
  provider.say(
    {
      calls: [
        call('find_customers', { search: 'persona' }, 'a'),
        call('inactive_regulars', { days: 90 }, 'b'),
        call('reservations_of_day', { date: DAY, location: 'Retiro' }, 'c'),
        call('revenue_by_location', { from: DAY, to: DAY }, 'd'),
        call('automation_results', {}, 'e'),
      ],
    },
    { content: 'Llama a **ana peña**; ojo con Retiro Reserva7. «Cumpleaños» va bien.' },
  )
  expect((await ask('boss')).sources).toEqual([
    { type: 'customer', id: ana, label: 'Ana Peña' },
    { type: 'reservation', id: booking, label: `Retiro Reserva7 · ${DAY} 21:00 · Retiro` },
    { type: 'location', id: placeId('Retiro'), label: 'Retiro' },
    { type: 'automation', id: automation, label: 'Cumpleaños' },
  ])
})
