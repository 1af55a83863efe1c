import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'
import { createGroup, type Group } from '../factories/group'
import { createRandom, type Random } from '../fakes/pms/random'
import { type Stack, startStack } from '../support/stack'

// One rule decides who somebody is, whichever door they come through. MATCH_BATCHES=500 draws more.
const BATCHES = Number(process.env.MATCH_BATCHES ?? 40)

interface Person {
  email: string | null
  phone: string | null
  first: string
  last: string
}

let stack: Stack
const groups: Record<'sync' | 'import' | 'hand', Group> = {} as never

beforeAll(async () => {
  stack = await startStack()
  for (const door of ['sync', 'import', 'hand'] as const)
    groups[door] = await createGroup(stack, `Puerta ${door}`, [
      { name: 'Norte', slug: `norte-${door}`, averageSpend: 20 },
    ])
})
afterAll(() => stack?.close())

const NAMES = [
  ['Ana', 'García López'],
  ['García López', 'Ana'],
  ['ANA', 'LOPEZ GARCIA'],
  ['Ana', ''],
  ['Leo', 'Gil'],
  ['', ''],
] as const
const MAILBOXES = ['ana', 'ana1955', 'ana1984', 'leo', 'eva', null]

/** Somebody with addresses of this batch alone. */
function draw(random: Random, batch: number): Person {
  const mailbox = random.pick(MAILBOXES)
  const phone = random.pick([0, 1, null])
  const [first, last] = random.pick(NAMES)
  return {
    email: mailbox && `${mailbox}@b${batch}.example`,
    phone: phone === null ? null : `+346${String(batch).padStart(4, '0')}${phone}111`,
    first,
    last,
  }
}

const isReachable = ({ email, phone }: Person) => email !== null || phone !== null

/** Guests who are there before: each e-mail once, as the database has it. */
async function meet(people: Person[]): Promise<void> {
  for (const { id: organizationId } of Object.values(groups))
    await stack.sql(
      `insert into public.customers (organization_id, email, phone, first_name, last_name, created_at)
       select $1, p.email, p.phone, nullif(p.first, ''), nullif(p.last, ''), now() - interval '1 day' + p.place * interval '1 hour'
       from jsonb_to_recordset($2::text::jsonb) as p (place integer, email text, phone text, first text, last text)`,
      [organizationId, JSON.stringify(people.map((person, place) => ({ ...person, place })))],
    )
}

const CASES: [says: string, there: Partial<Person>, asks: Partial<Person>, is: string][] = [
  [
    'of another name: a new guest',
    { first: 'Leo', last: 'Gil' },
    { first: 'Ana', last: 'García' },
    'as person 0',
  ],
  [
    'of the same name in another order: that guest',
    { first: 'Ana', last: 'García' },
    { first: 'GARCIA', last: 'ana' },
    'guest 0',
  ],
  ['whose name has fewer words: that guest', { first: 'Ana' }, { first: 'Ana', last: 'García' }, 'guest 0'],
  ['without a name: that guest', {}, { first: 'Ana', last: 'García' }, 'guest 0'],
  ['when the booking has no name: that guest', { first: 'Ana', last: 'García' }, {}, 'guest 0'],
  [
    'with another e-mail and name: a new guest',
    { first: 'Ana', email: 'a@x.example' },
    { first: 'Leo' },
    'as person 0',
  ],
  [
    'with another e-mail and the same name: that guest',
    { first: 'Ana', email: 'a@x.example' },
    { first: 'Ana' },
    'guest 0',
  ],
  [
    'with a year of birth thirty years apart: a new guest',
    { first: 'Ana', email: 'ana1955@x.example' },
    { first: 'Ana', email: 'ana1984@x.example' },
    'as person 0',
  ],
]

it.each(CASES)('a new e-mail on the phone of a guest %s', async (_, there, asks, is) => {
  const batch = 9000 + CASES.findIndex(([, one]) => one === there)
  const phone = `+346${batch}0111`
  const nobody = { email: null, phone, first: '', last: '' }
  const at = (email = 'nueva@x.example') => email.replace('x.example', `b${batch}.example`)
  await meet([{ ...nobody, ...there, email: there.email ? at(there.email) : null }])
  for (const [door, take] of Object.entries(DOORS)) {
    const ids = await take([{ ...nobody, ...asks, email: at(asks.email ?? undefined) }], batch)
    expect(partition(ids, await placesOf(door as keyof typeof DOORS, batch)), door).toEqual([is])
  }
})

/** Who each person is: the guest's place among those there before, or the first person who is the same new guest. */
function partition(ids: (string | null)[], before: Map<string, number>): string[] {
  return ids.map((id) =>
    id === null ? 'nobody' : before.has(id) ? `guest ${before.get(id)}` : `as person ${ids.indexOf(id)}`,
  )
}

const DOORS = {
  async sync(people: Person[], batch: number): Promise<(string | null)[]> {
    const { id: organizationId, locations } = groups.sync
    const rows = people.map(({ email, phone, first, last }, index) => {
      const named = { client_name: first, client_surname: last, client_email: email, client_phone: phone }
      const one = parseRow({
        id: `${batch}-${index}`,
        date: '2026-05-10',
        time: '21:00',
        pax: 2,
        status: 'finished',
        ...named,
      })
      return one.ok ? one.row : expect.fail('malformed row')
    })
    await stack.sql('select public.sync_reservations($1, $2::text::jsonb)', [
      locations[0]?.id,
      JSON.stringify(rows),
    ])
    const found = await stack.sql<{ place: number; id: string | null }>(
      `select split_part(external_id, '-', 2)::integer as place, customer_id::text as id from public.reservations
       where organization_id = $1 and external_id like $2 order by 1`,
      [organizationId, `${batch}-%`],
    )
    return found.map(({ id }) => id)
  },
  async import(people: Person[], batch: number): Promise<(string | null)[]> {
    const { id: organizationId, locations } = groups.import
    const [run] = await stack.sql<{ id: string }>(
      `insert into public.import_runs (organization_id, location_id, file_name, status, consent)
       values ($1, $2, $3, 'running', 'none') returning id::text as id`,
      [organizationId, locations[0]?.id, `${batch}.csv`],
    )
    const rows = people.map(({ email, phone, first, last }, index) => {
      const named = { first_name: first || undefined, last_name: last || undefined }
      return { line: index, email, phone, ...named, tags: [`b${batch} p${index}`] }
    })
    await stack.sql('select public.import_customers($1, $2::text::jsonb)', [run?.id, JSON.stringify(rows)])
    await stack.sql(`update public.import_runs set status = 'succeeded' where id = $1`, [run?.id])
    const found = await stack.sql<{ tags: string[]; id: string }>(
      `select id::text as id, tags from public.customers where organization_id = $1 and tags && $2`,
      [organizationId, rows.flatMap(({ tags }) => tags)],
    )
    return rows.map(({ tags: [tag = ''] }) => found.find(({ tags }) => tags.includes(tag))?.id ?? null)
  },
  async hand(people: Person[]): Promise<(string | null)[]> {
    const ids: (string | null)[] = []
    for (const { email, phone, first, last } of people) {
      const [row] = await stack.sql<{ id: string | null }>(
        'select private.match_customer($1, $2, $3, $4)::text as id',
        [groups.hand.id, email, phone, [first, last].filter(Boolean).join(' ')],
      )
      ids.push(row?.id ?? null)
    }
    return ids
  },
}

it(`${BATCHES} drawn batches are the same guests by sync, by import and by hand`, {
  timeout: 10_000 + 2000 * BATCHES,
}, async () => {
  const random = createRandom('three doors')
  for (let batch = 0; batch < BATCHES; batch++) {
    const there: Person[] = []
    for (let n = random.int(0, 3); n > 0; n--) {
      const guest = draw(random, batch)
      if (isReachable(guest) && !there.some(({ email }) => email && email === guest.email)) there.push(guest)
    }
    await meet(there)
    // By hand they come one after the other: those with an e-mail first, as a batch settles them.
    const people = Array.from({ length: random.int(1, 4) }, () => draw(random, batch))
      .filter(isReachable)
      .toSorted((one, other) => Number(one.email === null) - Number(other.email === null))
    const told: Record<string, string[]> = {}
    for (const [door, take] of Object.entries(DOORS)) {
      const ids = await take(people, batch)
      told[door] = partition(ids, await placesOf(door as keyof typeof DOORS, batch))
    }
    const context = JSON.stringify({ batch, there, people }, null, 1)
    expect(told.import, context).toEqual(told.sync)
    // One after the other, nobody knows what a later booking under the same address says.
    const addresses = people.flatMap(({ email, phone }) => [email, phone]).filter(Boolean)
    if (new Set(addresses).size === addresses.length) expect(told.hand, context).toEqual(told.sync)
  }
})

/** The guests who were there before, in their order, by id. */
async function placesOf(door: keyof typeof DOORS, batch: number): Promise<Map<string, number>> {
  const rows = await stack.sql<{ id: string }>(
    `select id::text as id from public.customers where organization_id = $1 and created_at < now() - interval '1 minute'
     and (email like $2 or phone like $3 or id in (select customer_id from public.customer_aliases where email like $2))
     order by created_at`,
    [groups[door].id, `%@b${batch}.example`, `+346${String(batch).padStart(4, '0')}%`],
  )
  return new Map(rows.map(({ id }, place) => [id, place]))
}
