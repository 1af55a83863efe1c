import type { PostgrestError } from '@supabase/supabase-js'

/** A failed database call, with Postgres' or PostgREST's code. */
export class DatabaseError extends Error {
  readonly code: string
  /** Beyond a limit (PT429): the seconds to wait. Other details may hold a row, and are dropped. */
  readonly wait: string | null
  constructor({
    code,
    message,
    details,
  }: Pick<PostgrestError, 'code' | 'message'> & { details?: string | null }) {
    super(message)
    this.name = 'DatabaseError'
    this.code = code
    this.wait = (code === 'PT429' && details) || null
  }
}

/**
 * The data of a supabase-js answer.
 * @throws DatabaseError when the call failed.
 */
export function unwrap<T>({ data, error }: { data: T; error: PostgrestError | null }): NonNullable<T> | T {
  if (error) throw new DatabaseError(error)
  return data
}
