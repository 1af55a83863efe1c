import 'server-only'
import { type Fault, findFault } from './fault'
import { logFault } from './health'

/** How long (ms) pages take it that the app still can run, and that it still cannot. */
const GOOD_FOR_MS = 60_000
const BAD_FOR_MS = 5_000
/** How long after a good answer nobody waits for the next one. */
const TRUSTED_FOR_MS = 300_000

/** What one slow or cut-off answer can look like: shown when the next question has no better one. */
const DOUBTFUL: ReadonlySet<Fault['kind']> = new Set(['silent', 'foreign'])

let known: { fault: Fault | null; at: number } | undefined
let asking: Promise<Fault | null> | undefined
let doubted = false

/**
 * The reason why the app cannot run, for pages: asked once a minute in each process, and every five seconds while there
 * is one. Requests at the same time share a question, and wait for it only where the last good answer is minutes old. The
 * log has a line for each change.
 */
export async function knownFault(): Promise<Fault | null> {
  const age = known ? performance.now() - known.at : Number.POSITIVE_INFINITY
  if (known && age < (known.fault ? BAD_FOR_MS : GOOD_FOR_MS)) return known.fault
  asking ??= ask().finally(() => {
    asking = undefined
  })
  if (!known || known.fault || doubted || age > TRUSTED_FOR_MS) return asking
  // A failure to ask is the next page's.
  asking.catch(() => undefined)
  return null
}

async function ask(): Promise<Fault | null> {
  const fault = await findFault()
  const now = performance.now()
  doubted = fault !== null && DOUBTFUL.has(fault.kind) && known?.fault === null && !doubted
  if (doubted) {
    known = { fault: null, at: now - GOOD_FOR_MS + BAD_FOR_MS }
    return null
  }
  if (fault && JSON.stringify(fault) !== JSON.stringify(known?.fault)) logFault(fault)
  known = { fault, at: now }
  return fault
}
