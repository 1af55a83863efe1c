import type { z } from 'zod'
import type { ErrorCode } from '@/lib/http/error-codes'
import type { InputProblem } from '@/lib/http/issues'
import { MACHINE_PERMISSIONS, type MachinePermission, type Permission, type Role } from '@/lib/permissions'

/** An answer of an operation; without `schema` it has no body (or one that is not JSON, see `contentType`). */
export interface Answer {
  description: string
  schema?: z.ZodType
  example?: unknown
  /** `application/json` when absent. */
  contentType?: string
  /** An error with this code, and a text that replaces the code's usual one. */
  error?: { code: ErrorCode; text: string }
  headers?: Record<string, string>
  /**
   * The same answer in another form, by content type, for callers that request it; `schema` describes a line or an
   * event.
   */
  otherForms?: Record<string, { schema?: z.ZodType; example?: unknown }>
}

/**
 * What a route declares once: `defineRoute` enforces it and the OpenAPI document describes it.
 * The usual errors (401, 403, 400, 408, 413, 415, 429, 500) follow from the other fields; `responses` has the rest.
 */
export interface Operation {
  summary: string
  description?: string
  tag: string
  /** `optional`: a session when there is one. */
  auth: 'cron' | 'session' | 'optional' | 'none'
  /** The other authentication, where a variant has one. */
  variantAuth?: 'session'
  permission?: Permission
  /**
   * Whether API tokens may call it although tokens cannot have its permission: `true`, or the permission that the token
   * needs. Operations with a permission that tokens can have are open to tokens.
   */
  machines?: true | MachinePermission
  /** Only these roles, where no permission of the matrix fits. */
  roles?: readonly Role[]
  /** People with a second factor must have given a code within ten minutes, else 403 with `confirm`. */
  confirm?: true
  /** Also for people who must set up a second factor before anything else. */
  enrolling?: true
  params?: z.ZodObject
  query?: z.ZodType
  body?: z.ZodType
  bodyExample?: unknown
  /** The maximum bytes of a body; 1 MB when absent. */
  bodyLimit?: number
  /** Bodies that `body` does not parse, by content type: uploads, webhooks. */
  otherBodies?: Record<string, z.ZodType>
  /** Request headers that change the answer, with their effects. */
  headers?: Record<string, string>
  /**
   * Part of the contract, the interface that integrators used before this code and that must not change: paths,
   * fields, texts. Its errors have the documented body, usually `{error}`, and the code in a header only.
   */
  contract?: true
  /** The documented texts of this route's errors. */
  errors?: {
    unauthorized?: string
    invalid?: string | ((problem: Pick<InputProblem, 'path' | 'message'>) => string)
  }
  /** The documented body of an unexpected failure (500), where it is not `{error, code, timestamp}`. */
  failure?: (message: string) => object
  /** Whether it changes something; the default is every method but GET and HEAD. */
  changes?: boolean
  /** Whether another site may make a browser send it; only for operations that use no cookie. */
  anyOrigin?: true
  /**
   * Whether a POST creates something, so that it takes an Idempotency-Key (`takesKey`); the default is whether it
   * answers 201.
   */
  creates?: boolean
  /** Whether it is rate limited: 10 requests a minute, or an hour, a key; or as a preview, 60 a minute a person. */
  rateLimited?: true | 'hour' | 'previews'
  responses: Record<number, Answer>
}

/** Whether API tokens may call the operation, and with which permission; false for operations for people. */
export function machinesNeed({
  auth,
  permission,
  roles,
  machines,
}: Pick<Operation, 'auth' | 'permission' | 'roles' | 'machines'>): true | MachinePermission | false {
  if (auth === 'optional') return true
  if (auth !== 'session' || roles) return false
  return machines ?? MACHINE_PERMISSIONS.find((held) => held === permission) ?? false
}

/**
 * Whether the operation takes an Idempotency-Key: a POST that creates, for callers who are known. Uploads take none:
 * imports are sent in parts instead.
 */
export function takesKey(
  {
    auth,
    otherBodies,
    creates,
    responses,
  }: Partial<Pick<Operation, 'auth' | 'otherBodies' | 'creates' | 'responses'>>,
  method: string,
): boolean {
  const isFor = method.toUpperCase() === 'POST' && auth === 'session' && !otherBodies
  return isFor && (creates ?? 201 in (responses ?? {}))
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** A resource's operations by path (`/api/customers/{id}`) and method. */
export type Paths = Record<string, Partial<Record<Method, Operation>>>

/** Keeps the exact types of the schemas, for `defineRoute({ ...operation, handler })`. */
export function definePaths<const P extends Paths>(paths: P): P {
  return paths
}
