import 'server-only'

// Well above what Auth takes to check a password.
const STEP_MS = 500

/** Time as `evenFailures` sees it; in milliseconds. */
export interface Pace {
  now: () => number
  wait: (ms: number) => Promise<void>
}

const real: Pace = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Lets failures leave at whole half-seconds only. Auth is quicker with an e-mail it does not know, since there is no
 * password to check: the time of a refusal must not say so. What succeeds is not held up.
 * @throws what the attempt throws, later.
 */
export async function evenFailures<T>(attempt: () => Promise<T>, pace: Pace = real): Promise<T> {
  const start = pace.now()
  try {
    return await attempt()
  } catch (error) {
    const elapsed = pace.now() - start
    await pace.wait(Math.max(1, Math.ceil(elapsed / STEP_MS)) * STEP_MS - elapsed)
    throw error
  }
}
