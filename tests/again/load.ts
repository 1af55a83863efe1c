import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// It ends with its parent, however that ends.
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);'

/** Keeps every core busy, at the tests' own priority; the function that it returns ends that. */
export function startLoad(): () => void {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }),
  )
  return () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}
