import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'
import { drawTrapPairs } from '../bench/identity/spanish/trap-pairs'
import { createGroup, type Group, stackClient } from '../factories/group'
import { emptyTables } from '../support/empty-tables'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Iguales', [{ name: 'Norte', slug: 'norte', averageSpend: 20 }])
})
beforeEach(() => stack.sql(emptyTables('reservations', 'customers', 'import_runs')))
afterAll(() => stack?.close())

interface Person {
  id?: string
  email?: string | null
  phone?: string | null
  first?: string | null
  last?: string | null
  birth?: string | null
}

const ana: Person = { email: 'ana.torre@gmail.com', phone: '+34612345678', first: 'Ana', last: 'de la Torre' }
/** Another spelling of the same name, and another of the same mailbox: no exact rule sees it. */
const again: Person = { ...ana, email: 'anatorre@googlemail.com', last: 'Torre' }

/** Saves bookings of these people as the sync does, in one batch. */
async function sync(people: Person[]) {
  const p_rows = people.map(({ id = randomUUID(), email, phone, first, last }) => {
    const visit = { id, date: '2026-05-01', time: '21:00', pax: 2, status: 'finished' }
    const guest = { client_email: email, client_phone: phone, client_name: first, client_surname: last }
    const parsed = parseRow({ ...visit, ...guest })
    return parsed.ok ? { ...parsed.row } : expect.fail('malformed row in a test')
  })
  const parameters = { p_location: group.locations[0]?.id ?? '', p_rows }
  return (await stackClient(stack, 'service').rpc('sync_reservations', parameters).throwOnError()).data
}

/** Imports these people as one chunk of a file. */
async function load(people: Person[]) {
  const [run] = await stack.sql<{ id: string }>(
    `insert into public.import_runs (organization_id, file_name) values ($1, 'p.csv') returning id`,
    [group.id],
  )
  const p_rows = people.map(({ email, phone, first, last, birth }, line) =>
    Object.fromEntries(
      Object.entries({
        line: line + 1,
        email,
        phone,
        first_name: first,
        last_name: last,
        birth_date: birth,
        tags: [],
      }).filter(([, value]) => value !== null && value !== undefined),
    ),
  )
  const parameters = { p_import: run?.id ?? '', p_rows }
  return (await stackClient(stack, 'service').rpc('import_customers', parameters).throwOnError()).data
}

const customers = () =>
  stack.sql(
    `select c.email, concat_ws(' ', c.first_name, c.last_name) as name,
       array(select a.email from public.customer_aliases a where a.customer_id = c.id and a.email is not null order by 1) as aliases
     from public.customers c order by 1`,
  )
const one = [{ email: ana.email, name: 'Ana de la Torre', aliases: [again.email] }]

describe('a booking of whom the model is certain', () => {
  it('is of the guest who is here, whose own spelling stays; a second sync writes nothing', async () => {
    await sync([{ ...ana, id: '1' }])
    expect(await sync([{ ...again, id: '2' }])).toMatchObject({ created: 1, customers_created: 0 })
    expect(await customers()).toEqual(one)
    const versions = () =>
      stack.sql(
        'select xmin::text from public.customers union all select xmin::text from public.customer_aliases',
      )
    const before = await versions()
    await sync([{ ...again, id: '2' }])
    expect(await versions()).toEqual(before)
    expect(await sync([{ id: '3', email: again.email }])).toMatchObject({ customers_created: 0 })
  })

  it('is a new guest when the phone has another name, here or in the same batch', async () => {
    await sync([{ ...ana, id: '1' }])
    await sync([{ id: '2', email: 'leo@correo.example', phone: ana.phone, first: 'Leo', last: 'Torre' }])
    await sync([{ ...again, id: '3' }])
    expect(await customers()).toHaveLength(3)
    await stack.sql(emptyTables('reservations', 'customers'))
    await sync([{ ...ana, id: '1' }])
    await sync([
      { ...again, id: '2' },
      { id: '3', email: 'leo@correo.example', phone: ana.phone, first: 'Leo', last: 'Torre' },
    ])
    expect(await customers()).toHaveLength(3)
  })

  it('is a new guest when two are as like it, or staff said that two people share what it has', async () => {
    const other: Person = { ...ana, email: 'ana.tor.re@gmail.com', last: 'La Torre' }
    for (const verdict of [false, true]) {
      await stack.sql(emptyTables('reservations', 'customers'))
      await sync([{ ...ana, id: '1' }])
      await stack.sql(
        `insert into public.customers (organization_id, email, phone, first_name, last_name) values ($1, $2, $3, $4, $5)`,
        [group.id, other.email, verdict ? '+34699999999' : other.phone, other.first, other.last],
      )
      if (verdict)
        await stack.sql(
          `insert into public.customer_pairs (organization_id, first_id, second_id, verdict, author_name)
           select organization_id, min(id::text)::uuid, max(id::text)::uuid, 'different', 'x' from public.customers group by 1`,
        )
      expect(await sync([{ ...again, id: '2' }])).toMatchObject({ customers_created: 1 })
    }
  })

  it('is not looked for in another group, nor without a name', async () => {
    const other = await createGroup(stack, 'Otro Iguales', [{ name: 'Este', slug: 'este-iguales' }])
    await stack.sql(
      `insert into public.customers (organization_id, email, phone, first_name, last_name) values ($1, $2, $3, $4, $5)`,
      [other.id, ana.email, ana.phone, ana.first, ana.last],
    )
    expect(await sync([{ ...again, id: '1' }])).toMatchObject({ customers_created: 1 })
    await stack.sql(emptyTables('reservations', 'customers'))
    await sync([{ ...ana, id: '1' }])
    expect(await sync([{ id: '2', email: again.email, phone: ana.phone }])).toMatchObject({
      customers_created: 1,
    })
  })
})

describe('a line of a file of which the model is certain', () => {
  const born = { birth: '1980-05-17' }
  it('is the guest who is here: by the same name, day of birth and mailbox', async () => {
    await load([{ ...ana, ...born }])
    const line = { ...again, ...born, phone: null }
    expect(await load([line])).toMatchObject({ created: 0 })
    expect(await customers()).toEqual(one)
    expect(await load([line])).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  })

  it('is a new guest when another line is as like that guest', async () => {
    await load([{ ...ana, ...born }])
    const lines = [again.email, 'ana.torre+mesa@gmail.com'].map((email) => ({
      ...ana,
      ...born,
      email,
      phone: null,
    }))
    expect(await load(lines)).toMatchObject({ created: 2 })
  })

  it('is a new guest when the day of birth is another', async () => {
    await load([{ ...ana, ...born }])
    expect(await load([{ ...again, birth: '1955-02-03' }])).toMatchObject({ created: 1 })
  })
})

/** People who are easily confused, each with a mailbox of their own, as PMS bookings and as lines of a file. */
function trapped(seed: string, pairs: number) {
  return [...drawTrapPairs(seed, pairs)].map((record, index) => ({
    person: String(record.person),
    circle: record.circle,
    id: `t${index}`,
    first: record.first_name,
    last: record.last_name,
    phone: record.phone,
    birth: record.birth_date,
    email: record.email ?? `t${index}@correo.example`,
  }))
}

describe('a father and his son of one name on one phone', () => {
  const father: Person = {
    first: 'Juan',
    last: 'Gil Mora',
    phone: '+34633000000',
    email: 'juangil1951@correo.example',
  }
  const son: Person = { ...father, email: 'juangil1984@correo.example' }
  const born = (one: Person, birth: string, email: string): Person => ({ ...one, birth, email })
  const two = async () => expect(await customers()).toHaveLength(2)

  it.each([
    ['a sync', sync],
    ['an import', load],
  ])('are two where their mailboxes say when they were born: %s', async (_, save) => {
    await save([father])
    await save([son])
    await two()
    await stack.sql(emptyTables('reservations', 'customers', 'import_runs'))
    await save([father, son])
    await two()
    // An address of the father's that says nothing is his, as before.
    await save([{ ...father, email: 'el.abuelo@correo.example' }])
    await two()
  })

  it('are two where a file says when they were born', async () => {
    const people = [
      born(father, '1951-02-03', 'a@correo.example'),
      born(son, '1984-05-06', 'b@correo.example'),
    ]
    await load(people.slice(0, 1))
    await load(people.slice(1))
    await two()
    await stack.sql(emptyTables('reservations', 'customers', 'import_runs'))
    await load(people)
    await two()
  })

  it('are two where the dates are a few years apart: cousins', async () => {
    await load([born(father, '1951-02-03', 'a@correo.example')])
    await load([born(father, '1957-10-21', 'b@correo.example')])
    await two()
  })

  it('are one where the dates are a slip of the keys apart', async () => {
    await load([born(father, '1951-02-03', 'a@correo.example')])
    await load([born(father, '1952-02-03', 'b@correo.example')])
    expect(await customers()).toHaveLength(1)
  })
})

describe('different people who are easily confused', () => {
  it.each(['sync', 'import'] as const)('are never joined by the model: %s', async (way) => {
    const people = trapped(`join ${way}`, 500)
    expect(people.length).toBeGreaterThan(300)
    const batches = [0, 1, 2].map((turn) =>
      people.filter(
        ({ circle }, index) => people.slice(0, index).filter((p) => p.circle === circle).length % 3 === turn,
      ),
    )
    for (const batch of batches) await (way === 'sync' ? sync(batch) : load(batch))
    // A PMS does not know when they were born: there phone and name alone make one person, and what is counted is the
    // model's doing. A file does know.
    const found = await stack.sql<{ id: string; email: string }>(
      `select c.id, coalesce(a.email, c.email) as email from public.customers c
       left join lateral (select email from public.customer_aliases where customer_id = c.id and email is not null
         union select c.email) as a on true`,
    )
    const ownerOf = new Map(found.map(({ id, email }) => [email, id]))
    expect(ownerOf.size).toBe(people.length)
    const words = ({ first, last }: Person) =>
      `${first ?? ''} ${last ?? ''}`
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .split(/\W+/)
        .sort()
        .join(' ')
    const joined = people.flatMap((one, index) =>
      people
        .slice(index + 1)
        .filter((other) => other.person !== one.person && ownerOf.get(other.email) === ownerOf.get(one.email))
        .filter(
          (other) =>
            way === 'import' ||
            !(other.phone && other.phone === one.phone && words(one).trim() === words(other).trim()),
        )
        .map((other) => [one, other]),
    )
    expect(joined).toEqual([])
  })
})
