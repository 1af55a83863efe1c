/** A clock that starts at the job's `now` and goes on with time. */
export function clockFrom(now: Date): () => Date {
  const begun = performance.now()
  return () => new Date(now.getTime() + performance.now() - begun)
}
