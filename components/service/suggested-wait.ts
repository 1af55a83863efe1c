import { serviceMinute } from '@/components/ui/service-day'
import { type BoardService, isExpected, isThere } from './board-model'
import { overlap, type Span, spanOf, usualStay } from './table-model'

/**
 * Estimates how many minutes a party of that size waits for a table that seats it, in steps of five, after the
 * parties
 * that already wait and the reservations without a table. Null when no table seats it.
 */
export function suggestedWait(service: BoardService, clock: string, partySize: number): number | null {
  const now = serviceMinute(clock)
  const taken = new Map<string, Span[]>()
  const take = (name: string, span: Span) => taken.set(name, [...(taken.get(name) ?? []), span])
  /** Takes the table that is free first, the smallest of several; returns from which minute. */
  function seat(size: number, from: number): number | null {
    const stay = usualStay(size, service.location.stay_minutes)
    const [best] = service.tables
      .filter(({ capacity }) => capacity === null || capacity >= size)
      .map(({ name, capacity }) => ({
        name,
        size: capacity ?? 100,
        at: freeFrom(taken.get(name), from, stay),
      }))
      .sort((a, b) => a.at - b.at || a.size - b.size)
    if (!best) return null
    take(best.name, { from: best.at, until: best.at + stay })
    return best.at
  }
  const homeless: { size: number; at: number }[] = []
  for (const party of service.parties.filter(isThere)) {
    const span = spanOf(party, service.location, now)
    const names = party.tables
    if (span && span.until > now) {
      for (const name of names) take(name, span)
      if (names.length === 0 && isExpected(party))
        homeless.push({ size: party.party_size, at: Math.max(span.from, now) })
    }
  }
  for (const { size, at } of homeless.sort((a, b) => a.at - b.at)) seat(size, at)
  for (const { party_size } of service.waiting) seat(party_size, now)
  const at = seat(partySize, now)
  return at === null ? null : Math.ceil((at - now) / 5) * 5
}

/** The first minute from which a table with these spans is free for the whole stay. */
function freeFrom(spans: readonly Span[] = [], from: number, stay: number): number {
  let at = from
  for (const span of spans.toSorted((a, b) => a.from - b.from))
    if (overlap(span, { from: at, until: at + stay })) at = span.until
  return at
}
