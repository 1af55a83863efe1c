import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, request } from '../sql/ask'
import { arrangeCast, type Cast } from '../sql/cast'
import { startRlsStack } from '../sql/support'
import { OF_TESTS, ofProduct } from '../support/server-clock'
import type { Stack } from '../support/stack'
import { functionsOf, type Routine } from './support/catalogue'

// What the caller of a function may choose: cursors of a page, and the days or the period that a question is about.
const CHOSEN = /^p_(before|after|after_at|after_key|since|from|to|day|date)$/
const INSTANTS = ['timestamp with time zone', 'timestamp without time zone', 'date', 'time without time zone']

let stack: Stack
let cast: Cast
beforeAll(async () => {
  stack = await startRlsStack()
  cast = await arrangeCast(stack)
  await stack.sql(ofProduct())
})
afterAll(async () => {
  await stack?.sql(OF_TESTS)
  await stack?.close()
})

const as = (name: string, body: Record<string, unknown>) =>
  ask(cast, 'operaciones', `rpc/${name}`, { method: 'POST', body })

/** Whether the function works with its p_now before private.clock has looked at it. */
function believesIts(source: string): boolean {
  const seen = source.replaceAll('private.clock(p_now)', '')
  return /\bp_now\b/.test(seen.replace(/\nbegin\n {2}p_now := ;\n[\s\S]*/, ''))
}

it('no function of people takes a clock that counts', async () => {
  const people = (await functionsOf(stack)).filter(({ role }) => role !== 'service_role')
  const isClock = ({ name, type }: Routine['args'][number]) => INSTANTS.includes(type) && !CHOSEN.test(name)
  const others = people.flatMap(({ name, args }) =>
    args.filter((arg) => isClock(arg) && arg.name !== 'p_now').map((arg) => `${name}(${arg.name})`),
  )
  expect(others).toEqual([])
  const clocked = people.filter(({ args }) => args.some(isClock))
  expect(clocked.length).toBeGreaterThan(20)
  expect(clocked.filter(({ source }) => believesIts(source)).map(({ name }) => name)).toEqual([])
})

describe('a person who sends a clock', () => {
  it.each(['2020-01-01T12:00:00Z', '2030-06-01T12:00:00Z'])('writes a note now, not at %s', async (p_now) => {
    const made = await as('add_shift_note', { p_location: cast.ids.Sol, p_body: 'Ahora', p_now })
    const { note } = made as { note: { id: string } }
    await as('change_shift_note', { p_id: note.id, p_body: 'Otra cosa', p_now })
    const [row] = await stack.sql(
      `select n.created_at between now() - interval '1 hour' and now() as written,
         n.edited_at between n.created_at and now() as edited, n.day = private.current_service(l.timezone, now()) as today
       from public.shift_notes n join public.locations l on l.id = n.location_id where n.id = $1`,
      [note.id],
    )
    expect(row).toEqual({ written: true, edited: true, today: true })
  })

  it('calls a waiting party now, not in 2030', async () => {
    const p_now = '2030-06-01T12:00:00Z'
    const joined = await as('join_waitlist', {
      ...{ p_location: cast.ids.Sol, p_now },
      p_entry: { name: 'Lucía', party_size: 2, phone: '+34600999888' },
    })
    await as('call_waiting', { p_id: joined, p_channels: ['sms'], p_now })
    const [row] = await stack.sql(
      `select w.joined_at <= now() as joined, w.called_at <= now() as called, m.not_before <= now() as due,
         (m.content ->> 'expires_at')::timestamptz < now() + interval '16 minutes' as expires
       from public.waitlist w join public.messages m on m.id = w.message_id where w.id = $1`,
      [joined],
    )
    expect(row).toEqual({ joined: true, called: true, due: true, expires: true })
  })

  it('answers a guest now, in a subject of one line', async () => {
    const [answered] = await stack.sql<{ id: string }>(
      'select f.id::text from public.feedback f where f.location_id = $1 limit 1',
      [cast.ids.Sol],
    )
    await stack.sql(
      `update public.customers c set email = 'guest@norte.example' from public.feedback f
       where f.id = $1 and c.id = f.customer_id and c.email is null`,
      [answered?.id],
    )
    const reply = { p_feedback: answered?.id, p_reply: 'Gracias', p_channels: ['email'] }
    for (const p_subject of ['Hola\r\nBcc: todos@evil.example', 'Hola\nX: y', 'Hola\u0085X: y']) {
      const body = { ...reply, p_subject }
      const refused = await request(cast, 'operaciones', 'rpc/reply_to_feedback', { method: 'POST', body })
      expect(refused.status).toBe(400)
    }
    await as('reply_to_feedback', { ...reply, p_subject: 'Tu visita', p_now: '2030-06-01T12:00:00Z' })
    const rows = await stack.sql(
      `select m.not_before <= now() as due, m.created_at <= now() as made, f.replied_at <= now() as replied
       from public.feedback f join public.messages m on m.id = f.reply_message_id where f.id = $1`,
      [answered?.id],
    )
    expect(rows).toEqual([{ due: true, made: true, replied: true }])
  })

  it('taps now, or earlier today without a connection', async () => {
    const key = crypto.randomUUID()
    const tap = { key, action: 'walk_in', party_size: 2, at: '2020-01-01T12:00:00Z' }
    await as('take_taps', { p_location: cast.ids.Sol, p_taps: [tap], p_now: '2020-01-01T12:00:00Z' })
    const rows = await stack.sql(
      `select r.arrived_at between now() - interval '25 hours' and now() as arrived,
         t.taken_at between now() - interval '1 hour' and now() as taken
       from private.service_taps t join public.reservations r on r.id = t.reservation_id where t.key = $1`,
      [key],
    )
    expect(rows).toEqual([{ arrived: true, taken: true }])
  })

  it('sees the customers of now', async () => {
    const filters = { p_filters: { segment: 'new' } }
    const now = await as('count_customers', filters)
    expect(await as('count_customers', { ...filters, p_now: '2020-01-01T12:00:00Z' })).toBe(now)
    expect(await as('count_customers', { ...filters, p_now: '2040-01-01T12:00:00Z' })).toBe(now)
    expect(now).toBeGreaterThan(0)
  })
})
