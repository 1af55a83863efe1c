import type { Figure } from '../support/figures'
import { againstBareSql } from './against-bare-sql'
import { type Lab, withLab } from './lab'
import { memory } from './memory'

/** All figures of the CSV import, one measurement after another. */
export function importFigures(): Promise<Figure[]> {
  return withLab(async (lab: Lab) => {
    const figures: Figure[] = []
    for (const measure of [againstBareSql, memory]) {
      console.log(`${measure.name} …`)
      figures.push(...(await measure(lab)))
    }
    return figures
  })
}
