import type { Figure } from '../support/figures'
import { enqueue } from './enqueue'
import { type Lab, withLab } from './lab'
import { memory } from './memory'
import { send } from './send'

/** All figures of the outbox, one measurement after another. */
export function messageFigures(): Promise<Figure[]> {
  return withLab(async (lab: Lab) => {
    const figures: Figure[] = []
    for (const measure of [enqueue, send, memory]) {
      console.log(`${measure.name} …`)
      figures.push(...(await measure(lab)))
    }
    return figures
  })
}
