import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { request } from '../sql/ask'
import { arrangeCast, type Cast } from '../sql/cast'
import { startRlsStack } from '../sql/support'
import type { Stack } from '../support/stack'
import { type Column, columnsOf, functionsOf, type Routine, storedOddities } from './support/catalogue'
import { type Hostile, HUGE, hostileArguments, unstorable } from './support/hostile'

// A hang, on however slow a machine: the database itself ends a statement after 8 s, and that is a fault here.
const BOUND_MS = 30_000
// PostgREST documents 500 for what goes beyond Postgres' own limits, as JSON too deep to read.
const DOCUMENTED = /^54/

// Megabytes take most of the time: one column or function in 24 gets them, and every one of them each night. A key of
// a document gets a third of the values, the next key the next third, and each key all of them each night.
const LARGE_BYTES = 200_000
const [LARGE_EACH, KEYS_EACH] = process.env.LARGE_VALUES === 'all' ? [1, 1] : [24, 3]
const isTried = ({ json }: Hostile, index: number) => json.length < LARGE_BYTES || index % LARGE_EACH === 0

let stack: Stack
let cast: Cast
let columns: Column[]
let routines: Routine[]
/** A value that fits each type, and those that belong to Norte by the argument's name. */
let fitting: Record<string, unknown>

beforeAll(async () => {
  stack = await startRlsStack()
  cast = await arrangeCast(stack)
  const [group, guest] = [cast.ids.Norte, cast.ids['Norte regular']]
  const alias =
    'insert into public.customer_aliases (organization_id, customer_id, email) values ($1, $2, $3)'
  await stack.sql(alias, [group, guest, 'antes@norte.example'])
  const entry =
    'insert into public.audit_log (organization_id, action, subject_type, subject_id) values ($1, $2, $3, $4)'
  await stack.sql(entry, [group, 'customer.changed', 'customer', guest])
  await stack.sql(
    `insert into public.customer_pairs (organization_id, first_id, second_id, verdict, author_name)
     select $1, min(id::text)::uuid, max(id::text)::uuid, 'different', 'Ana' from public.customers where organization_id = $1`,
    [group],
  )
  await stack.sql(
    `insert into public.identity_pairs (organization_id, first_id, second_id, probability, reasons)
     select k.organization_id, k.first_id, k.second_id, 0.75, '{}' from public.customer_pairs k where k.organization_id = $1
     on conflict do nothing`,
    [group],
  )
  await stack.sql(
    'insert into public.identity_settings (organization_id) values ($1) on conflict do nothing',
    [group],
  )
  await stack.sql(
    `insert into public.identity_weights (organization_id, field, level, label, m, u) values ($1, 'phone', 1, 'exact', 0.5, 0.5)
     on conflict do nothing`,
    [group],
  )
  await stack.sql(
    `insert into public.rhythm_models (organization_id, r, alpha, a, b, guests, recency_cuts, visit_cuts, spend_cuts)
     values ($1, 1, 30, 1, 1, 0, '{30,60}', '{1,2,3,4}', '{10,20,30,40}')`,
    [group],
  )
  await stack.sql('select private.refresh_rhythms($1)', [[guest]])
  await stack.sql(
    `insert into public.customer_merges (organization_id, kept_id, gone_id, author_name, merged_at)
     values ($1, $2, gen_random_uuid(), 'Ana', '2026-11-20T10:00:00Z')`,
    [group, guest],
  )
  columns = await columnsOf(stack)
  routines = await functionsOf(stack)
  const { ids } = cast
  fitting = {
    p_organization: ids.Norte,
    p_location: ids.Retiro,
    p_id: ids['Norte regular'],
    p_customer: ids['Norte regular'],
    p_limit: 10,
    p_seconds: 60,
  }
})
afterAll(() => stack?.close())

const ofType = (type: string): unknown => {
  if (type.endsWith('[]')) return []
  if (type === 'uuid') return cast.ids.Sol
  if (type === 'text') return 'x'
  if (type === 'jsonb') return {}
  if (type === 'boolean') return true
  if (type === 'date') return '2026-11-20'
  if (type.startsWith('timestamp')) return '2026-11-20T12:00:00Z'
  if (type.startsWith('time ')) return '20:00'
  return 1
}

/** The call's body: fitting values, one of them replaced. */
function bodyOf({ args }: Routine, at?: string, hostile?: string): string {
  const pairs = args
    .filter(({ name, optional }) => !optional || name === at)
    .map(({ name, type }) => {
      const json = name === at ? hostile : JSON.stringify(fitting[name] ?? ofType(type))
      return `${JSON.stringify(name)}:${json}`
    })
  return `{${pairs.join(',')}}`
}

interface Outcome {
  status: number
  code: string
  text: string
}

async function send(
  who: 'super_admin' | 'service',
  path: string,
  body: string,
  method = 'POST',
): Promise<Outcome> {
  const { publishableKey, secretKey } = stack.keys
  const response = await fetch(`${stack.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: who === 'service' ? secretKey : publishableKey,
      authorization: `Bearer ${who === 'service' ? secretKey : cast.tokens.super_admin}`,
      'content-type': 'application/json',
    },
    body,
    signal: AbortSignal.timeout(BOUND_MS),
  }).catch((error: unknown) => error as Error)
  if (response instanceof Error) return { status: 599, code: response.name, text: 'no answer in time' }
  const text = (await response.text()).slice(0, 300)
  return { status: response.status, code: /"code":"(\w+)"/.exec(text)?.[1] ?? '', text }
}

const isFault = ({ status, code }: Outcome) => status === 599 || (status >= 500 && !DOCUMENTED.test(code))

/** Runs them four at a time, in order. */
async function inLanes(attempts: (() => Promise<void>)[]): Promise<void> {
  const waiting = attempts[Symbol.iterator]()
  const lane = async () => {
    for (const attempt of waiting) await attempt()
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

/** Which read functions and tables answer as they should; the pages ask these. */
async function readable(): Promise<Record<string, number>> {
  const answers: Record<string, number> = {}
  const reads = routines.filter(({ stable, role }) => stable && role === 'authenticated')
  for (const routine of reads) {
    answers[routine.name] = (await send('super_admin', `rpc/${routine.name}`, bodyOf(routine))).status
  }
  for (const table of new Set(columns.filter(({ schema }) => schema === 'public').map((one) => one.table))) {
    answers[table] = (await request(cast, 'service', `${table}?select=*&limit=1000`)).status
  }
  return answers
}

/** The keys that a function looks up in its JSON, as far as they are columns: each with that column's type. */
function keysOf({ source }: Routine): Map<string, string> {
  const keys = new Map<string, string>()
  for (const { column, type } of columns)
    if (new RegExp(`\\b${column}\\b`).test(source)) keys.set(column, type)
  return keys
}

// On PostgREST: the embedded stack has an answer of its own, 500, for much that PostgREST refuses in words. The limits
// themselves are the same SQL on both; bounds.test.ts and bad-rows.test.ts try them on either.
describe.skipIf(process.env.STACK !== 'postgres')('through the database API', () => {
  it('no column takes a number, date, text, list or document that no page can show', async () => {
    const taken: string[] = []
    const attempts: (() => Promise<void>)[] = []
    const empty: string[] = []
    const tables = Map.groupBy(
      columns.filter(({ schema, writable }) => schema === 'public' && writable),
      ({ table }) => table,
    )
    expect(tables.size).toBeGreaterThan(20)
    for (const [table, all] of tables) {
      // A trigger stamps it, whatever is sent.
      const own = all.filter(({ column }) => column !== 'updated_at')
      const [row] = await stack.sql<Record<string, unknown>>(`select * from public.${table} limit 1`)
      if (!row) empty.push(table)
      const key = own.filter(({ inKey }) => inKey)
      const where = key.map(({ column }) => `${column}=eq.${encodeURIComponent(String(row?.[column]))}`)
      for (const [index, { column, type }] of own.entries()) {
        for (const { name, json } of unstorable(type).filter((value) => isTried(value, index))) {
          attempts.push(async () => {
            const path = `${table}?${where.join('&')}`
            const outcome = await send('service', path, `{"${column}":${json}}`, 'PATCH')
            if (outcome.status >= 400 && !isFault(outcome)) return
            taken.push(`${table}.${column} (${type}), ${name}: ${outcome.status} ${outcome.text}`)
          })
        }
      }
    }
    await inLanes(attempts)
    expect(taken).toEqual([])
    expect(await storedOddities(stack, columns)).toEqual([])
    expect(empty).toEqual([])
  }, 300_000)

  it('no function fails over an argument, and all that pages read answers as before', async () => {
    const before = await readable()
    expect(Object.values(before).filter((status) => status >= 500)).toEqual([])
    const faults: string[] = []
    const attempts: (() => Promise<void>)[] = []
    const attempt = (routine: Routine, name: string, hostile: Hostile, json = hostile.json) => {
      attempts.push(() => tryIt(routine, name, hostile, json))
    }
    const tryIt = async (routine: Routine, name: string, hostile: Hostile, json: string) => {
      const who = routine.role === 'authenticated' ? 'super_admin' : 'service'
      const outcome = await send(who, `rpc/${routine.name}`, bodyOf(routine, name, json))
      if (isFault(outcome))
        faults.push(`${routine.name}(${name}: ${hostile.name}): ${outcome.status} ${outcome.text}`)
    }
    expect(routines.length).toBeGreaterThan(60)
    for (const [index, routine] of routines.entries()) {
      const texts = routine.args.filter(({ type }) => type === 'text')
      if (isTried(HUGE, index)) for (const { name } of texts.slice(0, 1)) attempt(routine, name, HUGE)
      for (const { name, type } of routine.args) {
        for (const hostile of hostileArguments(type))
          if (isTried(hostile, index)) attempt(routine, name, hostile)
        if (type === 'uuid') {
          const foreign = { name: 'of another group', json: JSON.stringify(cast.ids['Sur regular']) }
          attempt(routine, name, foreign)
        }
        if (type !== 'jsonb') continue
        for (const [place, [key, keyType]] of [...keysOf(routine)].entries()) {
          for (const [value, hostile] of unstorable(keyType).entries()) {
            if (hostile.json.length > 1_000_000 || (index + place + value) % KEYS_EACH !== 0) continue
            const object = `{"${key}":${hostile.json}}`
            attempt(routine, name, { ...hostile, name: `${key} ${hostile.name}` }, object)
            attempt(routine, name, { ...hostile, name: `[${key}] ${hostile.name}` }, `[${object}]`)
          }
        }
      }
    }
    await inLanes(attempts)
    expect(faults).toEqual([])
    expect(await storedOddities(stack, columns)).toEqual([])
    expect(await readable()).toEqual(before)
  }, 300_000)
})
