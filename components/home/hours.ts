import { EXPECTED } from '@/components/ui/service-count'
import type { ServiceFigure } from '@/lib/overview/service-summary'

const FIRST_HOUR = 6
const USUAL_HOURS = { from: 12, to: 23 }

/** Expected covers by hour in the order of a service (…, 12 to 23, 0 to 5), without holes. */
export function coversByHour(figures: readonly ServiceFigure[]): { hour: number; covers: number }[] {
  const position = (hour: number) => (hour - FIRST_HOUR + 24) % 24
  const covers = new Map<number, number>()
  for (const { hour, status, covers: guests } of figures)
    if (EXPECTED.includes(status)) covers.set(hour, (covers.get(hour) ?? 0) + guests)
  const positions = [...covers.keys(), USUAL_HOURS.from, USUAL_HOURS.to].map(position)
  const first = Math.min(...positions)
  return Array.from({ length: Math.max(...positions) - first + 1 }, (_, index) => {
    const hour = (first + index + FIRST_HOUR) % 24
    return { hour, covers: covers.get(hour) ?? 0 }
  })
}
