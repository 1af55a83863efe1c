import '../support/late-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrangeCast, type Cast } from '../sql/cast'
import { type Client, startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'
import { LOCATION_RULES } from './roles/location-rules'
import { type Place, plant } from './roles/places'
import { requestOf } from './roles/requests'
import { OPERATIONS } from './roles/tries'

/** Seconds on a free machine; the bound is for one that many share. */
const SLOW_MACHINE = 240_000

let app: TestApp
let cast: Cast
/** Of the same group: the rows of the first are broken, those of the second stay whole. */
let broken: Place
let whole: Place
let boss: Client

beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'silent' })
  cast = await arrangeCast(app.stack)
  const at = (place: string): [string, string] => [String(cast.ids.Norte), String(cast.ids[place])]
  broken = await plant(app.stack, at('Retiro'), '@@RETIRO', '@@NORTE')
  whole = await plant(app.stack, at('Sol'), '@@SOL', '@@NORTE')
  // No request of these tests leaves the machine: what is enabled cannot be read.
  await app.stack.sql('update public.integration_configs set is_enabled = false')
  await app.stack.sql(
    `insert into public.integration_configs (organization_id, integration_type, is_enabled, config, secrets)
     select $1, t::public.integration_type, true, '{"base_url": 7, "model": 7, "from_email": 7}', '{"api_key": 7}' from unnest(array['ai', 'twilio', 'resend']) as t
     on conflict (organization_id, integration_type) do nothing`,
    [cast.ids.Norte],
  )
  await app.stack.sql('delete from public.rate_limits')
  boss = await signedIn({ email: 'super_admin@equipo.example' } as never)
})
afterAll(() => app?.close())

interface Stored {
  schema: string
  table: string
  column: string
}

/** Every column whose content a schema reads, from the catalogue. */
const documents = () =>
  app.stack.sql<Stored>(`
    select n.nspname as schema, c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private') and c.relkind = 'r' and a.atttypid = 'jsonb'::regtype
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by 1, 2, 3`)

/** What an erasure, a former version or a hand may leave: the same keys with other values, other keys, other types. */
function scrambled(value: unknown, rename: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => scrambled(inner, rename))
  if (typeof value === 'number') return '[…]'
  if (typeof value === 'string') return rename ? 7 : '[…]'
  if (value === null || typeof value !== 'object') return '[…]'
  const entries = Object.entries(value).map(([key, inner]) => [
    rename ? `${key} […]` : key,
    scrambled(inner, rename),
  ])
  return Object.fromEntries(entries)
}

const WAYS: [name: string, (value: unknown) => unknown][] = [
  ['other values', (value) => scrambled(value, false)],
  ['other keys', (value) => scrambled(value, true)],
  ['a stranger’s object', () => ({ '[…]': { '[…]': ['[…]', null, 7] } })],
  ['a list', () => ['[…]', null, { '[…]': 7 }]],
  ['a text', () => '[…]'],
  ['an object of blocks', () => ({ blocks: [{ type: '[…]' }, null], tiers: 7, field: 'last_visit' })],
]

/** Writes the value into the column of one row, as a hand at the database; not where the table refuses it. */
async function write(name: string, column: string, ctid: string, json: string): Promise<string | null> {
  await app.stack.sql(`do $do$ begin
    set local session_replication_role = replica;
    update ${name} set ${column} = $json$${json}$json$::jsonb where ctid = '${ctid}';
  exception when check_violation then null; end $do$`)
  const [now] = await app.stack.sql<{ ctid: string }>(
    `select ctid::text from ${name} where ${column} = $1::jsonb order by ctid desc limit 1`,
    [json],
  )
  return now?.ctid ?? null
}

/** Breaks one row of the group in every column that takes it. */
async function breakRows(way: (value: unknown) => unknown): Promise<string[]> {
  const done: string[] = []
  for (const { schema, table, column } of await documents()) {
    const name = `${schema}.${table}`
    const own = schema === 'public' ? broken.rows[table] : undefined
    const where = own ? `id = '${own}'` : 'true'
    const [row] = await app.stack.sql<{ ctid: string; value: unknown }>(
      `select ctid::text, ${column} as value from ${name} where ${where} limit 1`,
    )
    if (!row) continue
    const ctid = await write(name, column, row.ctid, JSON.stringify(way(row.value ?? {})))
    if (ctid) done.push(`${name}.${column}`)
  }
  return done
}

const READS = Object.entries(OPERATIONS).filter(
  ([name, { auth, changes }]) => name.startsWith('GET ') && auth === 'session' && !changes,
)

interface Read {
  status: number
  text: string
  rows: unknown[] | null
}

/** Every GET operation of the API, about the place. */
async function readAll(place: Place): Promise<Map<string, Read>> {
  await app.stack.sql('delete from public.rate_limits')
  const options = { harmless: false, names: false, self: '', guest: '', tier: '' }
  const answers = new Map<string, Read>()
  const left = [...READS]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, operation] = next
      const names = LOCATION_RULES[name]?.kind === 'body'
      const { path } = requestOf(name, operation, place, { ...options, names })
      const answer = await boss
        .request('GET', path)
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch((error: unknown) => ({ status: 599, text: String(error) }))
      const json = answer.text.startsWith('{') ? JSON.parse(answer.text) : null
      answers.set(name, { ...answer, rows: Array.isArray(json?.data) ? json.data : null })
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  return answers
}

const failures = (answers: Map<string, Read>) =>
  [...answers]
    .filter(([, { status }]) => status >= 500)
    .map(([name, { status, text }]) => `${name}: ${status} ${text.slice(0, 200)}`)

describe.each(WAYS)('rows with %s in place of what a schema reads', (_, way) => {
  it('fail no list, page or record, and the other rows stay whole', { timeout: SLOW_MACHINE }, async () => {
    const before = await readAll(whole)
    expect(failures(before)).toEqual([])
    const columns = await breakRows(way)
    expect(columns.length).toBeGreaterThan(3)
    const own = await readAll(broken)
    const others = await readAll(whole)
    expect([...failures(own), ...failures(others)].sort()).toEqual([])
    const idsOf = (read: Read | undefined) =>
      read?.rows?.flatMap((row) => (row as { id?: string } | null)?.id ?? [])
    const withIds = [...before].filter(([name, read]) => idsOf(read)?.length && !name.includes('audit-log'))
    expect(withIds.length).toBeGreaterThan(10)
    for (const [name, read] of withIds) expect(idsOf(others.get(name)), name).toEqual(idsOf(read))
  })

  it('fail no job', { timeout: SLOW_MACHINE }, async () => {
    const errors = async () => {
      const headers = { authorization: `Bearer ${app.cronSecret}` }
      const response = await app.client().request('GET', '/api/cron/master', { headers })
      expect(response.status).toBe(200)
      const { results } = (await response.json()) as { results: { endpoint: string; error?: string }[] }
      // Jobs answer so when there is nothing to do.
      const nothing = [
        'PMS integration is not configured',
        'No notifications to send',
        'No reminders to send',
      ]
      return results.filter(({ error }) => error !== undefined && !nothing.includes(error))
    }
    await breakRows(way)
    expect(await errors()).toEqual([])
  })
})
