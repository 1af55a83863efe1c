import { fold } from '@/lib/text/fold'
import type { BoardService } from './board-model'

export type Closing = BoardService['closings'][number]

/** Whether two names of zones or shifts are one, as the database compares them. */
export const isSameName = (one: string | null | undefined, other: string | null | undefined): boolean =>
  fold(one ?? '') === fold(other ?? '')

/**
 * What closes a zone for a party of these shifts, null when it is open. The database asks by the same rule (`CLOSED`,
 * `private.closes`).
 * @param shifts ids of shifts; null for a time outside all of them
 */
export function closingOf(
  { closings, shifts: known }: Pick<BoardService, 'closings' | 'shifts'>,
  zone: string | null,
  shifts: readonly (string | null)[],
): Closing | null {
  if (closings.length === 0) return null
  const names = known.filter(({ id }) => shifts.includes(id)).map(({ name }) => name)
  return (
    closings.find(
      (closing) =>
        (closing.shift === null || names.some((name) => isSameName(name, closing.shift))) &&
        (closing.zone === null || (zone !== null && isSameName(zone, closing.zone))),
    ) ?? null
  )
}
