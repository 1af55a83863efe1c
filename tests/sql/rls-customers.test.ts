import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, askRows, REFUSED } from './ask'
import { guestFunctions, guestTables } from './cases/guests'
import { arrangeCast, BOUND, type Cast, NORTE, UNBOUND, type Who } from './cast'
import { answers, type Seen } from './expectations'
import { DAY, NOON } from './fill'
import { describeFunctions, describeTables, forEveryone, snapshot } from './matrix'
import { startRlsStack } from './support'

const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion']

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(guestTables, () => cast)
describeFunctions(guestFunctions, () => cast)

/** What each person reads, written by `line` and sorted. */
async function readLines(path: string, line: (row: Record<string, unknown>) => string) {
  return forEveryone(async (who): Promise<Seen> => {
    const rows = await askRows(cast, who, path)
    return rows === REFUSED ? REFUSED : rows.map(line).sort()
  })
}

/** Gives the permission to operaciones, or takes it away. */
async function setPermission(permission: string, granted: boolean): Promise<void> {
  await cast.stack.sql(
    granted
      ? `insert into private.role_permissions (role, permission) values ('operaciones', $1)`
      : `delete from private.role_permissions where role = 'operaciones' and permission = $1`,
    [permission],
  )
}

const list = (rows: unknown, column: string) =>
  (rows as Record<string, unknown>[])
    .map((row) => row[column])
    .sort()
    .join(' ')

it('export_customers gives everyone the customers of a download of theirs', async () => {
  const seen = await forEveryone(async (who): Promise<Seen> => {
    const [started] = await cast.stack.sql<{ id: string }>(
      `insert into private.exports (organization_id, person_id, kind, asked, filters)
       select p.organization_id, p.id, 'customers', private.filters_hash('{}'), '{}'
       from public.profiles p where p.id = $1 returning id::text`,
      [cast.ids[who] ?? null],
    )
    const body = { p_export: started?.id ?? cast.ids.Norte, p_sort: 'name' }
    const answer = await ask(cast, who, 'rpc/export_customers', { method: 'POST', body })
    if (answer === REFUSED) return REFUSED
    const { columns, rows } = answer as { columns: string[]; rows: string[][] }
    return rows.map((row) => String(row[columns.indexOf('email')])).sort()
  })
  expect(seen).toEqual({ ...guestTables.customers?.reads, fired: REFUSED })
})

describe('embedded resources', () => {
  it('a customer carries only the reservations one may read', async () => {
    const seen = await readLines(
      'customers?select=*,reservations(*)',
      (row) => `${row.email}: ${list(row.reservations, 'external_id')}`,
    )
    expect(seen).toEqual(
      answers<Seen>(
        [],
        [UNBOUND, ['ana@norte.example: retiro-ana sol-ana', 'luis@norte.example: sol-luis']],
        [BOUND, ['ana@norte.example: retiro-ana', 'luis@norte.example: ']],
        [[...IN_THE_DARK, 'sala'], []],
        [['stranger'], ['rocio@sur.example: triana-rocio']],
      ),
    )
  })

  it('only customers with a readable reservation remain after an inner join', async () => {
    const path = 'customers?select=email,reservations!inner(party_size)&reservations.party_size=gt.2'
    const seen = await readLines(path, (row) => String(row.email))
    expect(seen).toEqual(
      answers<Seen>(
        [],
        [UNBOUND, ['ana@norte.example', 'luis@norte.example']],
        [BOUND, []],
        [IN_THE_DARK, []],
        [['stranger'], ['rocio@sur.example']],
      ),
    )
  })

  it('an organization carries nothing of the guests to those who may not read them', async () => {
    const seen = await readLines(
      'organizations?select=name,customers(email),reservations(external_id)',
      (row) => `${row.name}: ${list(row.customers, 'email')} ${list(row.reservations, 'external_id')}`,
    )
    const customers = 'Norte: ana@norte.example luis@norte.example'
    expect(seen).toEqual(
      answers<Seen>(
        [],
        [UNBOUND, [`${customers} retiro-ana sol-ana sol-luis`]],
        [BOUND, [`${customers} retiro-ana`]],
        [IN_THE_DARK, ['Norte:  ']],
        [['sala'], ['Norte:  retiro-ana']],
        [['stranger'], ['Sur: rocio@sur.example triana-rocio']],
      ),
    )
  })

  it('neither does a location or a tier', async () => {
    const places = await readLines(
      'locations?select=name,customers(email),reservations(external_id)',
      (row) => `${row.name}: ${list(row.customers, 'email')} ${list(row.reservations, 'external_id')}`,
    )
    const retiro = 'Retiro: ana@norte.example retiro-ana'
    expect(places).toEqual(
      answers<Seen>(
        [],
        [UNBOUND, [retiro, 'Sol: luis@norte.example sol-ana sol-luis']],
        [BOUND, [retiro]],
        [IN_THE_DARK, ['Retiro:  ', 'Sol:  ']],
        [['sala'], ['Retiro:  retiro-ana']],
        [['stranger'], ['Triana: rocio@sur.example triana-rocio']],
      ),
    )
    await cast.stack.sql(
      `update public.customers c set loyalty_tier_id = t.id from public.loyalty_tiers t
       where t.organization_id = c.organization_id and t.name = 'Oro'`,
    )
    const tiers = await readLines('loyalty_tiers?select=name,customers(email)&name=eq.Oro', (row) =>
      list(row.customers, 'email'),
    )
    expect(tiers).toEqual(
      answers<Seen>(
        [],
        [NORTE, ['ana@norte.example luis@norte.example']],
        [[...IN_THE_DARK, 'sala'], ['']],
        [['stranger'], ['rocio@sur.example']],
      ),
    )
  })
})

describe('someone who may read reservations but not customers', () => {
  beforeAll(() => setPermission('canAccessClientes', false))
  afterAll(() => setPermission('canAccessClientes', true))

  it('gets reservations with no customer in them', async () => {
    const rows = await askRows(
      cast,
      'operaciones',
      'reservations?select=external_id,customers!reservations_customer_id_fkey(*)&order=external_id',
    )
    expect(rows).toEqual(
      ['retiro-ana', 'sol-ana', 'sol-luis'].map((external_id) => ({ external_id, customers: null })),
    )
  })

  it('gets no guests of note', async () => {
    const call = { method: 'POST', body: { p_now: NOON } } as const
    expect(await ask(cast, 'operaciones', 'rpc/customers_to_know', call)).toEqual([])
  })

  it('gets no customer, and none by way of the next arrivals', async () => {
    expect(await ask(cast, 'operaciones', 'customers?select=*')).toEqual([])
    const call = { method: 'POST', body: { p_now: NOON } } as const
    const rows = await askRows(
      cast,
      'operaciones',
      'rpc/next_arrivals?select=external_id,customers!reservations_customer_id_fkey(*)',
      call,
    )
    expect(rows).toHaveLength(3)
    expect(rows === REFUSED ? [] : rows.filter((row) => row.customers !== null)).toEqual([])
  })
})

describe('someone who may read customers but not reservations', () => {
  beforeAll(() => setPermission('canAccessOperaciones', false))
  afterAll(() => setPermission('canAccessOperaciones', true))

  it('gets customers with no reservation in them', async () => {
    const rows = await askRows(cast, 'operaciones', 'customers?select=email,reservations(*)&order=email')
    expect(rows).toEqual(
      ['ana@norte.example', 'luis@norte.example'].map((email) => ({ email, reservations: [] })),
    )
    expect(await ask(cast, 'operaciones', 'reservations?select=*')).toEqual([])
  })

  it('gets nobody to know either', async () => {
    const call = { method: 'POST', body: { p_now: NOON } } as const
    expect(await ask(cast, 'operaciones', 'rpc/customers_to_know', call)).toEqual([])
  })
})

describe('asking a function for a location', () => {
  const asked = (name: string, location: string) =>
    forEveryone(async (who) => {
      const when = name === 'daily_summary' ? { p_from: DAY, p_to: DAY } : { p_now: NOON }
      const body = { p_location: cast.ids[location], ...when }
      const rows = await askRows(cast, who, `rpc/${name}`, { method: 'POST', body })
      return rows === REFUSED ? REFUSED : rows.length > 0
    })

  it.each(['service_summary', 'daily_summary'])(
    'gives its figures (%s) to those who work there',
    async (name) => {
      expect(await asked(name, 'Sol')).toEqual(answers<boolean>(false, [UNBOUND, true]))
      expect(await asked(name, 'Triana')).toEqual(answers<boolean>(false, [['stranger'], true]))
    },
  )

  it.each(['next_arrivals', 'customers_to_know'])(
    'gives %s to those of them who may read reservations',
    async (name) => {
      expect(await asked(name, 'Sol')).toEqual(answers<boolean>(false, [UNBOUND, true], [IN_THE_DARK, false]))
      expect(await asked(name, 'Triana')).toEqual(answers<boolean>(false, [['stranger'], true]))
    },
  )
})

it('lets only the service sync: the refused calls changed nothing, the same call by the service does', async () => {
  const booked = (await snapshot(cast, 'reservations')) as { row: Record<string, unknown> }[]
  expect(booked.map(({ row }) => [row.external_id, row.party_size]).sort()).toEqual([
    ['retiro-ana', 2],
    ['sol-ana', 3],
    ['sol-luis', 4],
    ['triana-rocio', 5],
  ])
  const body = guestFunctions.sync_reservations?.body(cast)
  expect(await ask(cast, 'service', 'rpc/sync_reservations', { method: 'POST', body })).toMatchObject({
    created: 0,
    updated: 1,
  })
})
