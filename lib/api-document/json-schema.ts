import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/**
 * Converts a zod schema to OpenAPI 3.0. Schemas with an id (`.meta({ id })`) are put into `components` and
 * referred to. `direction`: `input` for requests, `output` for answers.
 */
export function toOpenApi(
  schema: z.ZodType,
  direction: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { definitions = {}, ...rest } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: direction,
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }) => {
      // Zod adds a pattern to each format, which makes the description harder to read.
      if (zodSchema._zod.def.type === 'string' && jsonSchema.format) delete jsonSchema.pattern
    },
  }) as JsonSchema & { definitions?: Record<string, JsonSchema> }
  for (const [id, definition] of Object.entries(definitions)) components[id] = relocate(definition)
  return relocate(rest)
}

// OpenAPI 3.0 lets only a schema with a type be nullable.
const NULL = { type: 'object', nullable: true, enum: [null] }

/** Points references to the document's components, and rewrites keywords that 3.0 does not have. */
function relocate<T>(value: T): T {
  if (Array.isArray(value)) return value.map(relocate) as T
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, inner]) =>
    key === '$ref' && typeof inner === 'string'
      ? [key, inner.replace('#/definitions/', '#/components/schemas/')]
      : [key, relocate(inner)],
  )
  const { nullable, ...rest } = Object.fromEntries(entries) as JsonSchema
  // A nullable enum has to list null among its values.
  if (nullable === true && rest.type && Array.isArray(rest.enum) && !rest.enum.includes(null))
    return { ...rest, nullable, enum: [...rest.enum, null] } as T
  if (nullable !== true || rest.type) return Object.fromEntries(entries) as T
  return { anyOf: [rest, NULL] } as T
}
