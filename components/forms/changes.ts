import { same } from './draft-store'

type Values = Readonly<Record<string, unknown>>

/** Whose value stays in a field that two people changed. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>

interface Edited {
  /** The record that the form was loaded with. */
  loaded: object
  /** The body of the form as it was loaded, where it says the same in other words than the record. */
  asLoaded?: object | undefined
  /** The same of the record as the page has it by now: what others made of it is no change of this person. */
  asNow?: object | undefined
  /** The values that the other person saved, from the API's 409. */
  current?: Values
  choices?: Choices
}

/**
 * The body of a change: the fields that differ from what was loaded, without those given up, and what they were (`loaded`).
 * A field that the person decided to keep was what the other person left there.
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
