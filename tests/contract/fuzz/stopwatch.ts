import { readFileSync } from 'node:fs'

/**
 * Times work that one of these processes does, in milliseconds. What the busiest of them waited for a processor is left
 * out where the system says it (Linux): then the machine was busy with something else.
 */
export function stopwatch(pids: number[]): () => number {
  const waited = pids.map(waitedMs)
  const start = performance.now()
  return () => {
    const waits = pids.map((pid, index) => waitedMs(pid) - (waited[index] ?? 0))
    return performance.now() - start - Math.max(...waits)
  }
}

/** How long a process was ready to run and had no processor. */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
