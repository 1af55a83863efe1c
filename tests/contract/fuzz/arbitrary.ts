import fc from 'fast-check'
import { hostile } from './hostile'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  type?: string
  format?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  nullable?: boolean
  $ref?: string
  default?: unknown
}

/** What the generator knows besides the schema: named components, and ids that exist. */
export interface Knowledge {
  components: Record<string, Schema>
  /** Ids by the name of the field or parameter that takes them: `location_id`. */
  ids: (name: string) => string[]
}

const LONGEST = 40

/** Values that a schema accepts, more or less: what only the handler checks may still be wrong. */
export function valid(schema: Schema, known: Knowledge, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref) return valid(known.components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, known, name)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => valid(option, known, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const some = ofType(schema, known, name)
  return schema.nullable ? fc.option(some, { freq: 5 }) : some
}

function ofType(schema: Schema, known: Knowledge, name: string): fc.Arbitrary<unknown> {
  const { minimum = -100, maximum = 1000, minItems = 0, maxItems = 4, items = {} } = schema
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: Math.ceil(Math.max(minimum, -1e6)), max: Math.floor(Math.min(maximum, 1e6)) })
    case 'number':
      return fc.double({ min: Math.max(minimum, -1e6), max: Math.min(maximum, 1e6), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valid(items, known, name.replace(/s$/, '')), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 4)),
      })
    case 'object':
      return ofObject(schema, known)
    case 'string':
      return ofString(schema, known, name)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function ofObject(schema: Schema, known: Knowledge): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valid(property, known, name)]),
  )
  if (Object.keys(fields).length === 0 && typeof additionalProperties === 'object')
    return fc.dictionary(fc.string({ maxLength: 10 }), valid(additionalProperties, known), { maxKeys: 3 })
  return fc.record(fields, { requiredKeys: required })
}

function ofString(schema: Schema, known: Knowledge, name: string): fc.Arbitrary<string> {
  const ids = known.ids(name)
  if (schema.format === 'uuid' || (ids.length > 0 && !schema.format))
    return ids.length > 0
      ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.uuid() })
      : fc.uuid()
  const instant = fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true,
  })
  if (schema.format === 'date-time') return instant.map((date) => date.toISOString())
  if (schema.format === 'date') return instant.map((date) => date.toISOString().slice(0, 10))
  if (schema.format === 'email' || name === 'email') return fc.emailAddress()
  if (schema.format === 'uri' || name.endsWith('url')) return fc.webUrl({ validSchemes: ['https'] })
  if (name === 'phone') return fc.integer({ min: 600_000_000, max: 699_999_999 }).map((n) => `+34${n}`)
  if (name.endsWith('_time')) return instant.map((date) => date.toISOString().slice(11, 16))
  if (name === 'timezone') return fc.constantFrom('Europe/Madrid', 'Atlantic/Canary')
  const { minLength = 0, maxLength = LONGEST } = schema
  return fc.string({
    unit: 'grapheme',
    minLength: Math.min(minLength, LONGEST),
    maxLength: Math.max(minLength, Math.min(maxLength, LONGEST)),
  })
}

/** The value with one of its parts replaced, taken out or doubled, or with one too many. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  if (value === null || typeof value !== 'object') return hostile
  const entries = Object.entries(value)
  if (entries.length === 0) return hostile
  return fc.nat({ max: entries.length - 1 }).chain((index) => {
    const [key = '', inner] = entries[index] ?? []
    const put = (replacement: unknown): unknown =>
      Array.isArray(value)
        ? value.map((item, position) => (position === index ? replacement : item))
        : { ...value, [key]: replacement }
    const without = Array.isArray(value)
      ? value.filter((_, position) => position !== index)
      : Object.fromEntries(entries.filter(([name]) => name !== key))
    return fc.oneof(
      { weight: 4, arbitrary: hostile.map(put) },
      { weight: 3, arbitrary: mutated(inner).map(put) },
      { weight: 1, arbitrary: fc.constant(without) },
      {
        weight: 1,
        arbitrary: hostile.map((extra) =>
          Array.isArray(value)
            ? [...value, ...value, extra]
            : { ...value, role: extra, organization_id: extra },
        ),
      },
    )
  })
}
