import { expect } from 'vitest'
import type { Role } from '@/lib/auth/permissions'
import type { HttpRequest } from './http-client'
import type { World } from './world'

/** Who asks: `cron` sends the secret; `stranger` is super_admin of another organization. */
export type Asker = Role | 'nobody' | 'cron' | 'bound' | 'stranger'

/** One documented answer, and how to get it. */
export interface Row {
  /** The section of the contract (or of the decisions beside it) that promises the answer. */
  section: string
  /** Under which condition. */
  when: string
  as: Asker
  /** Method and path as the OpenAPI document has it: `GET /api/customers/{id}`. */
  call: string
  /** The path to ask where it has parameters or a query. */
  path?: (world: World) => string
  send?: (world: World) => HttpRequest
  /** Makes the condition true; what it returns is done afterwards. */
  arrange?: (world: World) => Promise<undefined | (() => Promise<unknown>)>
  /** Asks the app whose database does not answer. */
  databaseDown?: true
  status: number
  headers?: Record<string, string>
  /** The exact body, with matchers where a value is not known beforehand; undefined for no JSON body. */
  body?: (world: World) => unknown
}

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

/** `{error}` and nothing else. */
export const error = (text: unknown) => () => ({ error: text })
/** The usual body of an unexpected failure. */
export const unexpected = () => ({ error: TEXT, code: 'INTERNAL_ERROR', timestamp: ISO })

/** Breaks one SQL function for a row, so that the database fails behind a working session. */
export const withoutFunction = (signature: string) => async (world: World) => {
  const [name = ''] = signature.split('(')
  const gone = `${name}_gone`
  const away = `alter function public.${signature} rename to ${gone}`
  const back = `alter function public.${signature.replace(name, gone)} rename to ${name}`
  await world.stack.sql(away)
  return () => world.stack.sql(back)
}
