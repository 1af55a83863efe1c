import 'server-only'
import { after } from 'next/server'
import { log } from '@/lib/log'

const detached = new Set<Promise<void>>()

/**
 * Runs the work once the answer is sent. Outside of Next's request scope (tests, scripts) it begins at once, and
 * `afterwards` tells when it is over. A failure is logged: nobody is there to hear of it.
 */
export function runAfter(name: string, work: () => Promise<unknown>): void {
  const task = () =>
    work().then(
      () => undefined,
      (err: unknown) => log().error({ err, work: name }, 'work after the answer failed'),
    )
  try {
    after(task)
  } catch {
    const running: Promise<void> = task().finally(() => detached.delete(running))
    detached.add(running)
  }
}

/** Resolves when all work that was started outside of Next is over. */
export async function afterwards(): Promise<void> {
  await Promise.all(detached)
}
