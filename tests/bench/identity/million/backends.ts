import { readFileSync } from 'node:fs'
import type { Stack } from '../../../support/stack'

const TICKS_A_SECOND = 100
const EVERY_MS = 500

/** What the server's processes used: seconds of processor of all, and the most private memory of one, in MB. */
export interface Used {
  seconds: number
  megabytes: number
}

/** Watches the backends of the stack's database, from now until `stop`; needs Linux. */
export function watchBackends(stack: Stack): { stop: () => Promise<Used> } {
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  let megabytes = 0
  const look = async () => {
    const backends = await stack.sql<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database()',
    )
    for (const { pid } of backends) {
      const seconds = secondsOf(pid)
      if (seconds === null) continue
      if (!first.has(pid)) first.set(pid, seconds)
      last.set(pid, seconds)
      megabytes = Math.max(megabytes, memoryOf(pid))
    }
  }
  let looking: Promise<void> = look()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      await look()
      const seconds = [...last].reduce((sum, [pid, at]) => sum + at - (first.get(pid) ?? 0), 0)
      return { seconds, megabytes }
    },
  }
}

/** Seconds of processor that a process has used, or null when it has ended. */
function secondsOf(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === null) return null
  // Behind the name in brackets: state is the first field, user and system time the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return Number(kilobytes ?? 0) / 1024
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
