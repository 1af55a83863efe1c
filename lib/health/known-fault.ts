import 'server-only'
import { type Fault, findFault } from './fault'
import { logFault } from './health'

/** How long (ms) pages take it that the app still can run, and that it still cannot. */
const GOOD_FOR_MS = 60_000
const BAD_FOR_MS = 5_000

let known: { fault: Fault | null; at: number } | undefined
let asking: Promise<Fault | null> | undefined

/**
 * The reason why the app cannot run, for pages: asked once a minute in each process, and every five seconds while there
 * is one. Requests at the same time share a question. The log has a line for each change.
 */
export async function knownFault(): Promise<Fault | null> {
  if (known && performance.now() - known.at < (known.fault ? BAD_FOR_MS : GOOD_FOR_MS)) return known.fault
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

async function ask(): Promise<Fault | null> {
  const fault = await findFault()
  if (fault && JSON.stringify(fault) !== JSON.stringify(known?.fault)) logFault(fault)
  known = { fault, at: performance.now() }
  return fault
}
