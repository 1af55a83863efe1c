import type { Operation } from '@/lib/openapi/operation'

/** A body that no schema takes, as text to send. */
export interface BrokenBody {
  what: string
  text: string
}

/** Bodies the operation must refuse: no JSON, no object, and its example with each field in turn of a wrong type. */
export function brokenBodies({ body, bodyExample }: Operation): BrokenBody[] {
  if (!body) return []
  const example = (bodyExample ?? {}) as Record<string, unknown>
  const fields = Object.entries(example).map(([name, value]) => ({
    what: `${name} of a wrong type`,
    text: JSON.stringify({ ...example, [name]: wrong(value) }),
  }))
  return [{ what: 'malformed JSON', text: '{' }, { what: 'null', text: 'null' }, ...fields]
}

/** An object where the example has none, and a number where it has one. */
const wrong = (value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? 7 : { wrong: true }
