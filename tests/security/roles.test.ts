import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { can } from '@/lib/permissions'
import { arrangeCast, BOUND, type Cast, EVERYONE, roleOf, type Who } from '../sql/cast'
import { type Client, startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'
import { callEveryFunction, catalogue, readEveryTable, writeEveryTable } from './roles/database'
import { LOCATION_RULES } from './roles/location-rules'
import { hashOf, hashOfAll, type Place, plant } from './roles/places'
import { requestOf, type Scope } from './roles/requests'

const OPERATIONS = Object.entries(PATHS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as Operation,
  })),
)
/** How many requests are under way at once. */
const AT_ONCE = 8
/** Seconds on a free machine; the bound is for one that many share. */
const SLOW_MACHINE = 240_000

let app: TestApp
let cast: Cast
/** Where the bound people work, the other location of their group, and the other group's. */
let places: Record<Scope, Place>
const GROUP_MARK = '@@NORTE'
let clients: Partial<Record<Who, Client>>

beforeAll(async () => {
  app = await startApp()
  cast = await arrangeCast(app.stack)
  const { ids } = cast
  const pair = (home: string, place: string): [string, string] => [String(ids[home]), String(ids[place])]
  places = {
    own: await plant(app.stack, pair('Norte', 'Retiro'), '@@RETIRO', GROUP_MARK),
    'other location': await plant(app.stack, pair('Norte', 'Sol'), '@@SOL', GROUP_MARK),
    'other organization': await plant(app.stack, pair('Sur', 'Triana'), '@@TRIANA', '@@TRIANA'),
  }
  places['other organization'].rows.profiles = String(ids.stranger)
  places.own.rows.profiles = String(ids.boundOperaciones)
  await app.stack.sql(`update public.profiles set full_name = '@@TRIANA' where id = $1`, [ids.stranger])
  // No request of these tests leaves the machine.
  await app.stack.sql('update public.integration_configs set is_enabled = false')
  await app.stack.sql('delete from public.loyalty_configs')
  clients = {}
  for (const who of EVERYONE) {
    await app.stack.sql('delete from public.rate_limits')
    clients[who] =
      who === 'anon' || who === 'fired' ? app.client() : await signedIn({ email: emailOf(who) } as never)
  }
})
afterAll(() => app?.close())

const emailOf = (who: Who) => `${who.toLowerCase()}@equipo.example`
const isBound = (who: Who) => (BOUND as readonly Who[]).includes(who)

/** What must appear in no answer to that person. */
function hiddenFrom(who: Who): string[] {
  if (who === 'anon' || who === 'fired') return ['@@RETIRO', '@@SOL', '@@TRIANA', GROUP_MARK]
  if (who === 'stranger') return ['@@RETIRO', '@@SOL', GROUP_MARK]
  return isBound(who) ? ['@@SOL', '@@TRIANA'] : ['@@TRIANA']
}

/** The status a person gets by the operation's declaration and its location rule; null: any but a refusal. */
function expectedStatus(name: string, operation: Operation, who: Who, scope: Scope): number | null {
  const { auth, variantAuth, permission, roles } = operation
  if (auth === 'none' || auth === 'optional') return null
  if (auth === 'cron' && variantAuth !== 'session') return 401
  if (who === 'anon' || who === 'fired') return 401
  const role = roleOf(who)
  if ((permission && !can(role, permission)) || (roles && !roles.includes(role))) return 403
  const rule = LOCATION_RULES[name]
  if (!rule || rule.kind === 'answer') return null
  if (rule.kind === 'everywhere') return isBound(who) ? rule.status : null
  return scope === 'own' ? null : rule.status
}

/** Where the person asks: strangers and people without a profile have no place of their own here. */
function scopesOf(name: string, who: Who): Scope[] {
  const { kind } = LOCATION_RULES[name] ?? {}
  if (kind === 'answer' || kind === 'everywhere') return ['own']
  if (who === 'stranger') return ['other location']
  if (who === 'anon' || who === 'fired') return ['own']
  const foreign: Scope[] = ['own', 'other organization']
  return isBound(who) && kind !== 'group' ? [...foreign, 'other location'] : foreign
}

interface Try {
  label: string
  name: string
  scope: Scope
  status: number | null
}

function triesOf(who: Who): Try[] {
  return OPERATIONS.flatMap(({ name, operation }) => {
    // Signing out would end the session that the other requests need.
    if (name.includes(' /api/auth/') && who !== 'anon') return []
    return scopesOf(name, who).map((scope) => ({
      label: `${who}: ${name} (${scope})`,
      name,
      scope,
      status: expectedStatus(name, operation, who, scope),
    }))
  })
}

async function attempt(who: Who, { label, name, scope, status }: Try): Promise<string[]> {
  const client = clients[who]
  const operation = OPERATIONS.find((one) => one.name === name)?.operation
  if (!client || !operation) throw new Error(label)
  const { method, path, body } = requestOf(name, operation, places[scope], {
    harmless: status === null,
    names: LOCATION_RULES[name]?.kind === 'body',
    self: String(cast.ids[who] ?? ''),
    guest: places[who === 'stranger' ? 'other organization' : 'own'].rows.customers ?? '',
    tier: String(cast.ids['Norte Oro']),
  })
  const response = await client.request(method, path, body === undefined ? {} : { body })
  const text = await response.text()
  const problems = hiddenFrom(who).filter((mark) => text.includes(mark))
  const answered = `${response.status} ${text.slice(0, 200)}`
  if (status !== null && response.status !== status) problems.push(`expected ${status}, got ${answered}`)
  const isOpen = ['none', 'optional'].includes(operation.auth)
  if (status === null && !isOpen && [401, 403].includes(response.status))
    problems.push(`expected no refusal, got ${answered}`)
  return problems.map((problem) => `${label}: ${problem}`)
}

/** Runs them a few at a time, and gives what went wrong. */
async function all<T>(items: readonly T[], run: (item: T) => Promise<string[]>): Promise<string[]> {
  const problems: string[] = []
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) problems.push(...(await run(item)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return problems.sort()
}

it('every operation says what it has to do with locations', () => {
  expect(Object.keys(LOCATION_RULES).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort())
})

describe.each(EVERYONE)('%s', (who) => {
  it('is refused by the API what is not theirs, and nothing changes', { timeout: SLOW_MACHINE }, async () => {
    await app.stack.sql('delete from public.rate_limits')
    const before = await hashOfAll(app.stack)
    const refused = triesOf(who).filter(({ status }) => status !== null)
    expect(await all(refused, (one) => attempt(who, one))).toEqual([])
    expect(await hashOfAll(app.stack)).toBe(before)
  })

  it('gets no row of another location or organization from the API', { timeout: SLOW_MACHINE }, async () => {
    await app.stack.sql('delete from public.rate_limits')
    const elsewhere = foreignPlaces(who)
    const before = await Promise.all(elsewhere.map((place) => hashOf(app.stack, place)))
    const allowed = triesOf(who).filter(({ status }) => status === null)
    expect(await all(allowed, (one) => attempt(who, one))).toEqual([])
    expect(await Promise.all(elsewhere.map((place) => hashOf(app.stack, place)))).toEqual(before)
  })

  it('reads no row of another location or organization from the database API', {
    timeout: SLOW_MACHINE,
  }, async () => {
    expect(
      await all(await catalogue(app.stack), (one) => readEveryTable(cast, who, one, hiddenFrom(who))),
    ).toEqual([])
  })
})

// Rights to write are those of the database role: one signed-in person speaks for all.
describe.each(['boundAdmin', 'anon'] as const)('%s, by the database API', (who) => {
  it('writes no row of a table', { timeout: SLOW_MACHINE }, async () => {
    const before = await hashOfAll(app.stack)
    expect(await all(await catalogue(app.stack), (one) => writeEveryTable(cast, who, one))).toEqual([])
    expect(await hashOfAll(app.stack)).toBe(before)
  })
})

describe.each([
  ['boundAdmin', 'other location'],
  ['super_admin', 'other organization'],
  ['anon', 'own'],
] as const)('%s, by the functions of the database', (who, scope) => {
  it(
    `neither gets nor changes a row of the ${scope}`,
    async () => {
      const [elsewhere] = foreignPlaces(who).filter(({ mark }) => mark === places[scope].mark)
      if (!elsewhere) throw new Error(`${who} may see ${scope}`)
      const before = await hashOf(app.stack, elsewhere)
      const calls = await callEveryFunction(cast, who, elsewhere)
      expect(await all(calls, (call) => call(hiddenFrom(who)))).toEqual([])
      expect(await hashOf(app.stack, elsewhere)).toBe(before)
    },
    SLOW_MACHINE,
  )
})

function foreignPlaces(who: Who): Place[] {
  const { own, 'other location': other, 'other organization': foreign } = places
  if (who === 'stranger') return [own, other]
  if (who === 'anon' || who === 'fired') return [own, other, foreign]
  // Guests are the group's: what is done to one may reach the other location's reservation of theirs.
  const { customers: _, brands: __, invitations: ___, ...rows } = other.rows
  return isBound(who) ? [{ ...other, rows }, foreign] : [foreign]
}
