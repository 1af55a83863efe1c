import { same } from './draft-store'

type Values = Readonly<Record<string, unknown>>

/** Which value a field keeps that two people changed: mine or theirs. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>

interface Edited {
  /** The record that the form was loaded with. */
  loaded: object
  /** The loaded record as the form would send it, where the form writes equal values in another way. */
  asLoaded?: object | undefined
  /**
   * The current record as the form would send it, so that changes by others do not count as changes of this person.
   */
  asNow?: object | undefined
  /** The values that the other person saved, from the API's 409 EDITED_MEANWHILE. */
  current?: Values
  choices?: Choices
}

/**
 * The body of a change: the changed fields, without those the person gave up, and their former values (`loaded`).
 * Where the person keeps their own value, the former value is what the other person saved.
 */
export function changeBody<V extends object>(
  values: V,
  { loaded, asLoaded, asNow, current = {}, choices = {} }: Edited,
): Partial<V> & { loaded: Values } {
  const was = loaded as Values
  const known = [asLoaded ?? loaded, asNow ?? {}] as readonly Values[]
  const changed = Object.entries(values).filter(([field, value]) => {
    if (choices[field] === 'mine') return true
    return (
      choices[field] !== 'theirs' &&
      !known.some((before) => field in before && same(value ?? null, before[field] ?? null))
    )
  })
  const seen = changed.flatMap(([field]) => {
    const value = choices[field] === 'mine' ? current[field] : was[field]
    return value === undefined ? [] : [[field, value] as const]
  })
  return { ...(Object.fromEntries(changed) as Partial<V>), loaded: Object.fromEntries(seen) }
}
