import type { Counts } from './verdict'

/** Adds up the runs, by how many processes drained at once. */
export interface Tally {
  add: (drainers: number, counts: Counts, problems: number) => void
  /** Runs in which a process was killed in the middle. */
  counted: () => number
  violated: () => boolean
  table: () => string
}

const COLUMNS = {
  kills: 'kills',
  stops: 'stops',
  recipients: 'recipients',
  sent: 'sent',
  skipped: 'skipped',
  failed: 'failed',
  unknown: 'unknown',
  lost: 'lost',
  acceptedTwice: 'accepted twice',
  claimedTwice: 'claimed twice',
  twoBodies: 'two-body keys',
  untrue: 'untrue',
} as const satisfies Record<keyof Counts, string>
const MUST_BE_ZERO = ['lost', 'acceptedTwice', 'claimedTwice', 'twoBodies', 'untrue'] as const

interface Line extends Counts {
  drainers: string
  runs: number
}

/** Creates an empty tally. */
export function createTally(): Tally {
  const lines = new Map<number, Line>()
  let counted = 0
  let problems = 0
  const total = (): Line => [...lines.values()].reduce(sum, emptyLine('all'))
  return {
    add: (drainers, counts, failures) => {
      if (counts.kills > 0) counted++
      problems += failures
      const line = lines.get(drainers) ?? emptyLine(String(drainers))
      lines.set(drainers, sum(line, { ...counts, drainers: line.drainers, runs: 1 }))
    },
    counted: () => counted,
    violated: () => problems > 0 || MUST_BE_ZERO.some((column) => total()[column] > 0),
    table: () => {
      const sorted = [...lines].sort(([one], [other]) => one - other).map(([, line]) => line)
      const head = ['drainers', 'runs', ...Object.values(COLUMNS)]
      const keys = Object.keys(COLUMNS) as (keyof Counts)[]
      const rows = [...sorted, total()].map((line) => [
        line.drainers,
        String(line.runs),
        ...keys.map((key) => String(line[key])),
      ])
      return [head, ...rows]
        .map((row) => row.map((cell, at) => cell.padStart(head[at]?.length ?? 0)).join('  '))
        .join('\n')
    },
  }
}

function emptyLine(drainers: string): Line {
  const zeros = Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, 0]))
  return { ...(zeros as unknown as Counts), drainers, runs: 0 }
}

function sum(line: Line, other: Line): Line {
  const keys = Object.keys(COLUMNS) as (keyof Counts)[]
  const added = Object.fromEntries(keys.map((key) => [key, line[key] + other[key]]))
  return { ...line, ...(added as unknown as Counts), runs: line.runs + other.runs }
}
