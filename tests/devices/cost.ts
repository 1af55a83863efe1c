import { readdirSync, readFileSync } from 'node:fs'

const TICKS = 100

/** Seconds of processor that the programs started by this process have taken, by their name. */
export function processorSeconds(): Map<string, number> {
  const all = new Map<number, { parent: number; name: string; seconds: number }>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const text = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const [name = ''] = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')).split(' ')
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15)
      // A connection of Postgres that has ended counts with the server's first process.
      const ended = name === 'postgres' ? userOfEnded + systemOfEnded : 0
      all.set(Number(entry), { parent: fields[1] ?? 0, name, seconds: (user + system + ended) / TICKS })
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = all.get(pid)?.parent
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent))
  }
  const sums = new Map<string, number>()
  for (const [pid, { name, seconds }] of all) if (isOurs(pid)) sums.set(name, (sums.get(name) ?? 0) + seconds)
  return sums
}
