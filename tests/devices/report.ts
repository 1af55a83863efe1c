import { quantile } from './delays'
import type { Night, Outcome } from './night'

/** As the system names them. */
const PROGRAMS = { 'the app': 'next-server', Postgres: 'postgres', PostgREST: 'postgrest' }

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')

/** The figures of a night as a table, and what was wrong. */
export function report({ devices, minutes, seed }: Night, outcome: Outcome): string {
  const { taps, lost, changes, delays, waits, bytes, processor, violations } = outcome
  const perMinute = devices * minutes
  const sent = Object.values(taps).reduce((sum, count) => sum + count, 0)
  const rows: [string, string][] = [
    ['taps', `${sent}: ${listed(taps)}`],
    ['lost on the way', listed(lost)],
    ['changes in the database', `${changes}`],
    ['a change on a device that is connected, median', seconds(quantile(delays, 0.5))],
    ['… 99th percentile', seconds(quantile(delays, 0.99))],
    ['… longest', `${seconds(quantile(delays, 1))}, of ${delays.length}`],
    ['an answer, median', seconds(quantile(waits, 0.5))],
    ['… 99th percentile', seconds(quantile(waits, 0.99))],
    ['… longest', seconds(quantile(waits, 1))],
    ['requests, per device and minute', (waits.length / perMinute).toFixed(1)],
    ['bytes received, per device and minute', `${(bytes / perMinute / 1024).toFixed(1)} KiB`],
    ...Object.entries(PROGRAMS).map(([name, program]): [string, string] => {
      const spent = processor.find(([each]) => each === program)?.[1] ?? 0
      return [`processor of ${name}, per device and minute`, `${((spent / perMinute) * 1000).toFixed(0)} ms`]
    }),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
  const wrong = violations.map((each) => `VIOLATION ${each}`)
  const sum = violations.length > 0 ? `${violations.length} violations, DEVICE_SEED=${seed}` : 'no violation'
  const longest = `the longest way of a change ${seconds(quantile(delays, 1))}`
  return ['', table, '', ...wrong, `${sent} taps, ${longest}, ${sum}`].join('\n')
}
