import type { Figure } from '../support/figures'
import { againstBareSql } from './against-bare-sql'
import { embedded } from './embedded'
import { growth } from './growth'
import { type Lab, withLab } from './lab'
import { latency } from './latency'
import { memory } from './memory'

/** All figures of the sync, one measurement after another. */
export function syncFigures(): Promise<Figure[]> {
  const measurements: ((lab: Lab) => Promise<Figure[]>)[] = [
    latency,
    againstBareSql,
    growth,
    memory,
    embedded,
  ]
  return withLab(async (lab) => {
    const figures: Figure[] = []
    for (const measure of measurements) {
      console.log(`${measure.name} …`)
      figures.push(...(await measure(lab)))
    }
    return figures
  })
}
