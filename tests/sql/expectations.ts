import type { Question } from './ask'
import { REFUSED } from './ask'
import { type Cast, EVERYONE, type Who } from './cast'

export type Seen = string[] | typeof REFUSED

/** What a table promises to everyone. */
export interface TableCase {
  /** The columns that name a row in `reads`, joined with ' / '. */
  keys: [string, ...string[]]
  /** What may be selected when it is not everything. */
  columns?: string
  reads: Record<Who, Seen>
  /** A row the service could insert for that organization. */
  insert: (cast: Cast, home: 'Norte' | 'Sur') => Record<string, unknown>
  /** A change the service could make to that row. */
  change: (cast: Cast) => Record<string, unknown>
  /** The service may add rows, and neither change nor delete any. */
  appendOnly?: boolean
}

/** What a function answers to everyone. */
export interface FunctionCase {
  body: (cast: Cast) => Question['body']
  /** The answer in readable form; refusals stay as they are. */
  shape: (answer: unknown, cast: Cast) => unknown
  answers: Record<Who, unknown>
}

/** Signed-in people get `otherwise`, anon a refusal; each line overrides the lines before it. */
export function answers<T>(otherwise: T, ...lines: [readonly Who[], T | typeof REFUSED][]) {
  const table = {} as Record<Who, T | typeof REFUSED>
  for (const who of EVERYONE) table[who] = who === 'anon' ? REFUSED : otherwise
  for (const [people, answer] of lines) for (const who of people) table[who] = answer
  return table
}

/** The rows that each person sees; people who are not listed see none. */
export const reads = (...lines: [readonly Who[], Seen][]) => answers<Seen>([], ...lines)

/** Nobody but the service. */
export const serviceOnly = () => answers<typeof REFUSED>(REFUSED)
