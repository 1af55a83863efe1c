import { expect } from 'vitest'
import type { Role } from '@/lib/permissions'
import type { World } from './world'

/** Who asks: `visitor` has no session; `cron` sends the secret; `stranger` is super_admin of another organization. */
export type Asker = Role | 'visitor' | 'cron' | 'bound' | 'stranger'

/** A value, or how the world of the tests makes it. */
export type Of<T> = T | ((world: World) => T)

/** Makes a condition true; what it returns is done after the request. */
export type Arrange = (world: World) => Promise<undefined | (() => Promise<unknown>)>

/** One documented answer, and the request that gets it. */
export interface Row {
  /** What the API does, as a sentence without its subject: 'refuses a malformed id'. */
  name: string
  /**
   * What promises the answer: a heading of the contract, the interface that other systems rely on to the letter
   * (`POST /api/sync`, `Errors: 429 …`); or `our own: <topic>` where we decided.
   */
  section: string
  as: Asker
  request: {
    /** Method and path as the OpenAPI document has it: `GET /api/customers/{id}`. */
    operation: string
    /** The path's parameter; without it, the id of nothing. */
    id?: Of<string>
    /** The path's second parameter: of `/runs/{runId}`, of `/closings/{closingId}`. */
    second?: string
    /** With its question mark. */
    query?: Of<string>
    /** An object is sent as JSON, text and forms as they are. */
    body?: Of<object | string | undefined>
    headers?: Of<Record<string, string>>
  }
  arrange?: Arrange
  /** Asks the app whose database does not answer. */
  databaseDown?: true
  answers: {
    status: number
    headers?: Of<Record<string, string>>
    /** The exact JSON, with matchers where a value is not known beforehand; without it, the body is not read. */
    body?: Of<object>
  }
}

/** The value, made where it is made. */
export const resolve = <T>(value: Of<T>, world: World): T =>
  typeof value === 'function' ? (value as (world: World) => T)(world) : value

export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/)
export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
export const TEXT = expect.stringMatching(/\S/)
export const COUNT = expect.toSatisfy(
  (value: unknown) => Number.isInteger(value) && Number(value) >= 0,
  'a count',
)
/** Last day the PMS was asked for, if it was. */
export const KNOWN_UNTIL = expect.toSatisfy(
  (value: unknown) => value === null || /^\d{4}-\d\d-\d\d$/.test(String(value)),
)
export const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** The header of a CSV that is named by the day: that of the request, not that on which the rows were loaded. */
export const csvOfToday = (name: string) => () => ({
  'content-disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.csv"`,
})

/** An error with that text: in the contract's operations `{error}` and nothing else, in others with its code. */
export const error = (text: unknown) => ({ error: text })
/** The usual body of an unexpected failure. */
export const unexpected = { error: TEXT, code: 'INTERNAL_ERROR', timestamp: ISO }

/** Breaks one SQL function for a row, so that the database fails behind a working session. */
export const withoutFunction = (signature: string) => async (world: World) => {
  const [name = ''] = signature.split('(')
  const gone = `${name}_gone`
  const away = `alter function public.${signature} rename to ${gone}`
  const back = `alter function public.${signature.replace(name, gone)} rename to ${name}`
  await world.stack.sql(away)
  return () => world.stack.sql(back)
}
