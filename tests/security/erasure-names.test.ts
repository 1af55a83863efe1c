import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../fakes/pms/random'
import type { Client } from '../support/app'
import { type Guests, startGuests } from '../support/guests'
import { columnsOf } from './support/catalogue'
import { startDemoGuests } from './support/demo-guests'
import { plantWords } from './support/planted-words'
import { changesBetween, inWords, linkedTo, snapshotOf } from './support/second-reader'

/** Each night 200, on the demo. */
const COUNT = Number(process.env.ERASED_NAMES ?? 25)
const isNight = process.env.ERASED_NAMES !== undefined
const SEED = process.env.ERASURE_SEED ?? 'names'

/** Figures that are kept of all rows; their own tests recount them. */
const FIGURES = ['private.customer_counts', 'private.daily_figures']

let g: Guests
let host: Client
/** Where the host works. */
let place: string
beforeAll(async () => {
  g = isNight
    ? await startDemoGuests()
    : await startGuests([
        { name: 'Casa Norte', slug: 'norte' },
        { name: 'Casa Sur', slug: 'sur' },
      ])
  place = g.group.locations[0]?.name ?? ''
  host = await g.hire('operaciones', place)
})
afterAll(() => g?.app.close())

const title = (code: string) =>
  code.replace(/(^|_)([a-z])/g, (_, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`)
const twoWords = (codes: string[]) => codes.filter((code) => /^[a-z]+_[a-z]+$/.test(code)).map(title)

/** Names that a guest, or a colleague, could choose: of fields, of states, common words, titles, other people's. */
async function drawNames(): Promise<string[]> {
  const random = createRandom(SEED)
  const fields = twoWords((await columnsOf(g.app.stack)).map(({ column }) => column))
  const checks = await g.sql<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c'
     union all select prosrc from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  )
  const states = twoWords(
    checks.flatMap(({ rule }) => [...rule.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code ?? '')),
  )
  const common = ['De La', 'Para El', 'Mesa Para', 'Que No', 'Con Su', 'The And', 'Sin Gluten', 'Por Favor']
  const titles = [
    // Of longer names two words: “Ana García” also stands for Ana García López, so one name would be in another.
    ...g.group.locations.map(({ name }) => name.split(' ').slice(-2).join(' ')),
    'Grupo Huéspedes',
    'Grupo Alborada',
    'Cena Maridaje',
    'Menú Degustación',
    'Eva Marín',
  ]
  const kinds = [fields, states, common, titles]
  const names = new Map([
    ['last visit', 'Last Visit'],
    ['no show', 'No Show'],
  ])
  for (let draw = 0; names.size < COUNT; draw++) {
    // Lists that are used up give way to numbers.
    const name = random.pick(kinds[draw % kinds.length] ?? fields)
    const other = draw < 20 * COUNT ? name : `${name} ${draw}`
    const key = other.toLowerCase().split(' ').sort().join(' ')
    if (!names.has(key)) names.set(key, other)
  }
  return [...names.values()]
}

it(`erasing ${COUNT} guests with names like field names and common words changes only their rows (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const names = await drawNames()
  const booked = names.filter((_, n) => n % 3 === 0)
  // Of those who book, the texts of that location lose the name (tests/security/erasure-reach.test.ts).
  await plantWords(g, names, { sparing: booked, place })
  const ids: string[] = []
  for (const [n, name] of names.entries()) {
    const [first_name, ...rest] = name.split(' ')
    const person = {
      first_name,
      last_name: rest.join(' '),
      email: `n${n}@nombres.example`,
      phone: phoneOf(n),
    }
    const made = await g.ask(host, 'POST', '/api/customers', person)
    expect(made.status, name).toBe(201)
    ids.push(made.body.data.id)
  }
  await g.sync(
    booked.map((name) => {
      const n = names.indexOf(name)
      const [client_name, ...rest] = name.split(' ')
      const client_surname = rest.join(' ')
      return { id: `b${n}`, client_name, client_surname, client_email: `n${n}@nombres.example`, notes: name }
    }),
    place,
  )
  await g.sql(
    `insert into public.tickets (organization_id, location_id, customer_id, subject)
     select c.organization_id, $1, c.id, concat_ws(' ', c.first_name, c.last_name) from public.customers c where c.id = any($2)`,
    [g.places[place], ids],
  )

  const before = await snapshotOf(g.app.stack)
  for (const [n, id] of ids.entries())
    expect((await g.ask(host, 'DELETE', `/api/customers/${id}`)).status, names[n]).toBe(204)
  const after = await snapshotOf(g.app.stack)

  const addresses = names.flatMap((_, n) => [`n${n}@nombres.example`, phoneOf(n)])
  const isTheirs = linkedTo([before, after], ids, addresses)
  const changes = changesBetween(before, after).filter(({ table }) => !FIGURES.includes(table))
  expect(changes.filter((change) => !isTheirs(change)).map(inWords)).toEqual([])
  // The reader reads: the guests are gone, and their bookings and tickets are without the name.
  const of = (table: string) => changes.filter((change) => change.table === table)
  expect(of('public.customers')).toHaveLength(COUNT)
  expect(of('public.reservations')).toHaveLength(booked.length)
  expect(of('public.tickets')).toHaveLength(COUNT)
  expect(of('public.audit_log').filter(({ before: was }) => was)).toEqual([])
})

const phoneOf = (n: number) => `+346${71_000_000 + n}`
