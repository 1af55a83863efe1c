import 'server-only'
import { after } from 'next/server'
import { log } from '@/lib/log'

const detached = new Set<Promise<void>>()

/**
 * Runs work after the answer is sent. Outside of Next's request scope (tests, scripts) it starts immediately, and
 * `waitForDetachedWork` waits for it. A failure is only logged, because the client already has its answer.
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
export async function waitForDetachedWork(): Promise<void> {
  await Promise.all(detached)
}

/** Whether the client asked not to wait for the work (`Prefer: respond-async`, RFC 7240). */
export function prefersAsync(request: Request): boolean {
  const preferences = request.headers.get('prefer')?.split(',') ?? []
  return preferences.some(
    (preference) => preference.split(/[;=]/)[0]?.trim().toLowerCase() === 'respond-async',
  )
}
