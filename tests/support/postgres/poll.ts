import type { Child } from './child'

/**
 * Asks again and again until `check` gives something (it may throw meanwhile), and returns that.
 * @throws when the child has ended or the deadline has passed, with the child's output.
 */
export async function until<T>(
  what: string,
  milliseconds: number,
  child: Pick<Child, 'isRunning' | 'output'>,
  check: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + milliseconds
  let cause: unknown
  while (child.isRunning() && Date.now() < deadline) {
    try {
      const result = await check()
      if (result !== undefined) return result
    } catch (error) {
      cause = error
    }
    await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error(`${what} failed:\n${child.output()}`, { cause })
}
