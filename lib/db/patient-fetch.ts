import 'server-only'

/** The time limit (ms) for answers of the database or Auth to a person: Supabase's own limit for people's queries. */
export const PERSON_WAITS_MS = 8_000
/** The time limit (ms) for an answer to work without a person; jobs set shorter limits of their own. */
export const JOB_WAITS_MS = 120_000

/**
 * A `fetch` for supabase-js that gives up after `ms`. It then throws an AbortError: supabase-js retries after any
 * other error, and the person would wait four times as long.
 */
export function patientFetch(ms: number): typeof fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(ms)
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    try {
      return await fetch(input, { ...init, signal })
    } catch (error) {
      if (!limit.aborted) throw error
      throw new DOMException(`Supabase gave no answer within ${ms} ms`, 'AbortError')
    }
  }
}
