/** Lets so many requests through at once; all batches under way by a channel share one. */
export interface Gate {
  /** Does the work once there is room. `isFine` tells by its result whether the provider copes. */
  pass: <T>(work: () => Promise<T>, isFine: (result: T) => boolean) => Promise<T>
  /** How often something was not fine: a batch that sees it grow knows of another's trouble. */
  troubles: () => number
}

// A provider in trouble meets few requests before the rest is held back.
const FIRST = 5

/** A gate that begins narrow, widens by one with each success up to `most`, and is narrow again after trouble. */
export function createGate(most: number): Gate {
  const first = Math.min(FIRST, most)
  const waiting: (() => void)[] = []
  let width = first
  let inside = 0
  let troubles = 0

  const letIn = () => {
    while (inside < width && waiting.length > 0) {
      inside++
      waiting.shift()?.()
    }
  }
  return {
    async pass(work, isFine) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        letIn()
      })
      let fine = false
      try {
        const result = await work()
        fine = isFine(result)
        return result
      } finally {
        inside--
        if (!fine) troubles++
        width = fine ? Math.min(most, width + 1) : first
        letIn()
      }
    },
    troubles: () => troubles,
  }
}
