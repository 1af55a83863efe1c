import type { Device } from './device'
import { type Change, textOf, visible } from './witness'

/** Milliseconds in which a change is to be on every device that is connected. */
const WITHIN = 10_000

/** How long changes took to the devices, in milliseconds, in order. */
export interface Delays {
  all: number[]
  /** Changes that a device that was connected had too late, or never. */
  late: string[]
}

/**
 * For each change and each device that was connected: from the change, or from when the device was connected again, until
 * it had it on its board, or a later state of the party. A device that goes out of reach before that is not counted.
 * @param until devices that are still connected were so until then
 */
export function delaysOf(devices: readonly Device[], changes: readonly Change[], until: number): Delays {
  const all: number[] = []
  const late: string[] = []
  const seen = visible(changes)
  for (const device of devices) {
    const times = [
      ...device.connected,
      ...(device.onlineSince === null ? [] : [{ from: device.onlineSince, until }]),
    ]
    const shown = shownAt(device, seen)
    for (const change of seen.filter(({ tx }) => tx !== 0)) {
      const at = shown.get(change.seq) ?? Number.POSITIVE_INFINITY
      // The first time connected that ends after the change: in it the device has to get it.
      const time = times.find((each) => each.until > change.at)
      if (!time) continue
      const since = Math.max(change.at, time.from)
      if (at <= time.until) all.push(Math.max(0, at - since))
      if (Math.min(at, time.until) - since > WITHIN)
        late.push(
          `${device.name} did not have ${change.key ?? 'a booking'} of ${new Date(since).toISOString()} in time`,
        )
    }
  }
  return { all: all.sort((one, other) => one - other), late }
}

/** When a device had each change, by its number, or a later one of the same party. */
function shownAt(device: Device, seen: readonly Change[]): Map<number, number> {
  const shown = new Map<number, number>()
  const board = new Map<string, string>()
  const waiting = new Map<string, Change[]>()
  let next = 0
  for (const { at, changed } of device.reads) {
    for (const [id, state] of changed) board.set(id, state)
    for (let change = seen[next]; change && change.at <= at; change = seen[++next])
      waiting.set(change.state.party, [...(waiting.get(change.state.party) ?? []), change])
    for (const [party, changes] of waiting) {
      const last = changes.findLastIndex(({ state }) => textOf(state) === board.get(party))
      for (const { seq } of changes.splice(0, last + 1)) shown.set(seq, at)
      if (changes.length === 0) waiting.delete(party)
    }
  }
  return shown
}

/** The value below which a share of the ordered values is. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
