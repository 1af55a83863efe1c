import type { Operation } from '@/lib/openapi/operation'
import { NOWHERE } from './requests'

/** A body that no schema takes, as text to send. */
export interface BrokenBody {
  what: string
  text: string
}

/** Bodies the operation must refuse: no JSON, no object, and its example with a field more or one of a wrong type. */
export function brokenBodies({ body, bodyExample, contract }: Operation): BrokenBody[] {
  if (!body) return []
  const example = (bodyExample ?? {}) as Record<string, unknown>
  const fields = Object.entries(example).map(([name, value]) => ({
    what: `${name} of a wrong type`,
    text: JSON.stringify({ ...example, [name]: wrong(value) }),
  }))
  // The contract's operations drop what they do not know.
  const more = { what: 'a field more', text: JSON.stringify({ ...example, organization_id: NOWHERE }) }
  return [
    { what: 'malformed JSON', text: '{' },
    { what: 'null', text: 'null' },
    ...(contract ? [] : [more]),
    ...fields,
  ]
}

/** An object where the example has none, and a number where it has one. */
const wrong = (value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? 7 : { wrong: true }
