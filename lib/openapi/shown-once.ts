import { z } from 'zod'

const secrets = z.registry<Record<string, never>>()

/**
 * A secret that its answer shows once, such as an API token: an answer that is given again (Idempotency-Key) has null
 * in its place.
 */
export function shownOnce(schema: z.ZodString, description: string): z.ZodNullable<z.ZodString> {
  const marked = schema
    .nullable()
    .meta({ description: `${description}. Null when the answer is given again (Idempotency-Key)` })
  secrets.add(marked, {})
  return marked
}

/** The answer with null in place of every secret that its schema marks as `shownOnce`. */
export function withoutSecrets(schema: z.ZodType, answer: unknown): unknown {
  if (secrets.has(schema)) return null
  if (!(schema instanceof z.ZodObject) || answer === null || typeof answer !== 'object') return answer
  const shape: Record<string, z.ZodType | undefined> = schema.shape
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const field = shape[name]
      return [name, field ? withoutSecrets(field, value) : value]
    }),
  )
}
