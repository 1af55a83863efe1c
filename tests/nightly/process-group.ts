import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'

const GRACE_MS = 20_000

/**
 * Runs a shell command in a process group of its own, with its output in a file. The whole group is ended when `limit` is
 * reached (`late`), and when this process is told to end.
 */
export function runInGroup(command: string, log: string, limit: AbortSignal): Promise<number | 'late'> {
  const output = openSync(log, 'w')
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), signal)
    } catch {
      // It has ended.
    }
  }
  let isLate = false
  const end = () => {
    isLate = true
    signalGroup('SIGTERM')
    setTimeout(() => signalGroup('SIGKILL'), GRACE_MS).unref()
  }
  limit.addEventListener('abort', end, { once: true })
  const endWithUs = (signal: NodeJS.Signals) => {
    signalGroup('SIGTERM')
    process.exit(128 + constants.signals[signal])
  }
  process.on('SIGINT', endWithUs).on('SIGTERM', endWithUs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      limit.removeEventListener('abort', end)
      process.off('SIGINT', endWithUs).off('SIGTERM', endWithUs)
      // What the command left behind.
      signalGroup('SIGKILL')
      resolve(isLate ? 'late' : (code ?? 1))
    })
  })
}
