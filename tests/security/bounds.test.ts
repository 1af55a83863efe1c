import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiDocument } from '@/lib/api-document/document'
import { FIELD_NAMES, GUEST_FIELDS } from '@/lib/customers/guest-fields'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
/** The largest length or number that the table's CHECKs let each column have. */
let bounds: Map<string, number>

/** Whose table an endpoint's body goes to. */
const TABLES: Record<string, string> = {
  '/api/customers': 'customers',
  '/api/reservations': 'reservations',
  '/api/locations': 'locations',
  '/api/brands': 'brands',
  '/api/automations': 'automations',
  '/api/segments': 'segments',
  '/api/campaigns': 'campaigns',
  '/api/email-looks': 'email_looks',
  '/api/email-templates': 'email_templates',
  '/api/calendar-events': 'calendar_events',
  '/api/tickets': 'tickets',
  '/api/organization': 'organizations',
  '/api/team/invitations': 'invitations',
}
/** Columns that others than people fill as well, with more: the PMS, CSV files, merging. */
const WIDER = new Set([
  'customers.first_name',
  'customers.last_name',
  'customers.notes',
  'customers.tags',
  'reservations.party_size',
])

interface Field {
  maxLength?: number
  maximum?: number
  maxItems?: number
  anyOf?: Field[]
  properties?: Record<string, Field>
}

beforeAll(async () => {
  stack = await startStack()
  const rows = await stack.sql<{ table: string; definition: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  )
  bounds = new Map()
  for (const { table, definition } of rows) {
    const limit = /\(*(?:length\(|cardinality\(|\()(\w+)\)? <= \(?'?(-?[\d.]+)/g
    for (const [, column, most] of definition.matchAll(limit)) {
      const place = `${table.replace('public.', '')}.${column}`
      bounds.set(place, Math.min(bounds.get(place) ?? Number.POSITIVE_INFINITY, Number(most)))
    }
  }
})
afterAll(() => stack?.close())

/** What the API lets a field have; undefined where it sets no limit. */
function limitOf(field: Field): number | undefined {
  const own = field.maxLength ?? field.maxItems ?? field.maximum
  return own ?? field.anyOf?.map(limitOf).find((limit) => limit !== undefined)
}

const agrees = (place: string, limit: number, bound: number) =>
  WIDER.has(place) ? bound >= limit : bound === limit

it('what the API takes and what the columns take have the same limit', () => {
  const document = openApiDocument('https://crm.example') as unknown as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Field }> } }>>
  }
  const different: string[] = []
  let compared = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    const table = TABLES[path.replace(/\/\{id\}$/, '')]
    if (!table) continue
    for (const { requestBody } of Object.values(operations)) {
      const fields = requestBody?.content['application/json']?.schema.properties ?? {}
      for (const [name, field] of Object.entries(fields)) {
        const [place, limit] = [`${table}.${name}`, limitOf(field)]
        const bound = bounds.get(place)
        if (limit === undefined || bound === undefined) continue
        compared++
        if (!agrees(place, limit, bound))
          different.push(`${path} ${name}: the API ${limit}, the column ${bound}`)
      }
    }
  }
  expect(different).toEqual([])
  expect(compared).toBeGreaterThan(40)
})

it('what a CSV may bring and what the columns take have the same limit', () => {
  const texts = FIELD_NAMES.filter((field) => ['name', 'text', 'notes'].includes(GUEST_FIELDS[field].type))
  const different = texts.filter((field) => {
    const place = `customers.${field}`
    return !agrees(place, GUEST_FIELDS[field].csv?.limit ?? 0, bounds.get(place) ?? 0)
  })
  expect(texts.length).toBeGreaterThan(5)
  expect(different).toEqual([])
})
