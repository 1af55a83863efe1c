import '../support/late-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import webPush from 'web-push'
import { arrangeCast, type Cast, EVERYONE, type Who } from '../sql/cast'
import { type Client, startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'
import { problemsOfRefusal } from './roles/answers'
import { brokenBodies } from './roles/bodies'
import { callEveryFunction, catalogue, readEveryTable, writeEveryTable } from './roles/database'
import { LOCATION_RULES } from './roles/location-rules'
import { hashOf, hashOfAll, type Place, personalOf, plant } from './roles/places'
import { NOWHERE, requestOf, type Scope } from './roles/requests'
import { COLLEAGUE, isBound, OPERATIONS, type Try, triesOf } from './roles/tries'

/** How many requests are under way at once. */
const AT_ONCE = 4
/** Without a pair, no one's device is looked for. */
const { publicKey, privateKey } = webPush.generateVAPIDKeys()
const VAPID = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
/** Seconds on a free machine; the bound is for one that many share. */
const SLOW_MACHINE = 240_000

let app: TestApp
let cast: Cast
/** Where the bound people work, the other location of their group, and the other group's. */
let places: Record<Scope, Place>
/** The body is sent apart. */
const NO_BODY = { harmless: false, names: false, self: '', guest: '', tier: '' }
const GROUP_MARK = '@@NORTE'
/** Ids of what is one colleague's own, by the collection in the path. */
let personal: Record<string, string>
let clients: Partial<Record<Who, Client>>

beforeAll(async () => {
  app = await startApp(VAPID)
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
  personal = await personalOf(app.stack, String(ids.Norte), String(ids[COLLEAGUE]))
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

/** What must appear in no answer to that person. */
function hiddenFrom(who: Who): string[] {
  if (who === 'anon' || who === 'fired') return ['@@RETIRO', '@@SOL', '@@TRIANA', GROUP_MARK]
  if (who === 'stranger') return ['@@RETIRO', '@@SOL', GROUP_MARK]
  return isBound(who) ? ['@@SOL', '@@TRIANA'] : ['@@TRIANA']
}

async function attempt(who: Who, { label, name, where, status }: Try): Promise<string[]> {
  const client = clients[who]
  const operation = OPERATIONS[name]
  if (!client || !operation) throw new Error(label)
  const ids = { unknown: NOWHERE, malformed: 'x', 'of a colleague': personal[collectionOf(name)] ?? '' }
  const place =
    where in ids ? places[who === 'stranger' ? 'other organization' : 'own'] : places[where as Scope]
  const { method, path, body } = requestOf(name, operation, place, {
    id: ids[where as keyof typeof ids],
    harmless: status === null,
    names: LOCATION_RULES[name]?.kind === 'body',
    self: String(cast.ids[who] ?? ''),
    guest: places[who === 'stranger' ? 'other organization' : 'own'].rows.customers ?? '',
    tier: String(cast.ids['Norte Oro']),
  })
  const response = await client.request(method, path, body === undefined ? {} : { body })
  const text = await response.text()
  const problems = hiddenFrom(who).filter((mark) => text.includes(mark))
  if (status !== null) problems.push(...problemsOfRefusal(operation, status, response, text))
  const isOpen = ['none', 'optional'].includes(operation.auth)
  if (status === null && !isOpen && [401, 403].includes(response.status))
    problems.push(`expected no refusal, got ${response.status} ${text.slice(0, 200)}`)
  return problems.map((problem) => `${label}: ${problem}`)
}

/** `push` of `DELETE /api/account/push/{id}`. */
const collectionOf = (name: string) => name.split('/{id}')[0]?.split('/').at(-1) ?? ''

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
  expect(Object.keys(LOCATION_RULES).sort()).toEqual(Object.keys(OPERATIONS).sort())
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

it('no operation takes a body that its schema has no place for', { timeout: SLOW_MACHINE }, async () => {
  await app.stack.sql('delete from public.rate_limits')
  const before = await hashOfAll(app.stack)
  const bodies = Object.entries(OPERATIONS).flatMap(([name, operation]) =>
    brokenBodies(operation).map((body) => ({ name, operation, ...body })),
  )
  const problems = await all(bodies, async ({ name, operation, what, text }) => {
    const client = clients[operation.auth === 'none' ? 'anon' : 'super_admin']
    const { method, path } = requestOf(name, operation, places.own, NO_BODY)
    const headers = { 'content-type': 'application/json' }
    const response = await client?.request(method, path, { body: text, headers })
    if (!response) throw new Error(name)
    return problemsOfRefusal(operation, 400, response, await response.text()).map(
      (problem) => `${name} with ${what}: ${problem}`,
    )
  })
  expect(problems).toEqual([])
  expect(await hashOfAll(app.stack)).toBe(before)
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
  const { customers: _, brands: __, invitations: ___, ...others } = other.rows
  const { conversations: ____, conversation_messages: _____, ...rows } = others
  return isBound(who) ? [{ ...other, rows }, foreign] : [foreign]
}
