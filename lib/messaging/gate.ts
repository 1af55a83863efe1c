/** How a request went; `untried`: nothing was asked of the provider. */
export type Passage = 'fine' | 'trouble' | 'untried'

/** A batch's way to its provider; all batches under way by a channel share its width and its troubles. */
export interface Gate {
  /** Does the work once there is room. `judge` tells by its result whether the provider copes. */
  pass: <T>(work: () => Promise<T>, judge: (result: T) => Passage) => Promise<T>
  /** Whether any batch has met trouble that the database did not know of when this one came. */
  troubled: () => boolean
  /** Called when what became of the batch is recorded: batches claimed from now on know of its troubles. */
  close: () => void
}

// A provider in trouble meets few requests before the rest is held back.
const FIRST = 5

/**
 * A channel's gate: it begins narrow, widens by one with each success up to `most`, and is narrow again after trouble.
 * Returns what each batch calls before it is claimed.
 */
export function createGate(most: number): () => Gate {
  const first = Math.min(FIRST, most)
  const waiting: (() => void)[] = []
  const unrecorded = new Set<symbol>()
  let width = first
  let inside = 0
  let troubles = 0

  const letIn = () => {
    while (inside < width && waiting.length > 0) {
      inside++
      waiting.shift()?.()
    }
  }
  const leave = (batch: symbol, passage: Passage) => {
    inside--
    if (passage === 'fine') width = Math.min(most, width + 1)
    if (passage === 'trouble') {
      width = first
      troubles++
      unrecorded.add(batch)
    }
    letIn()
  }
  return () => {
    const batch = Symbol('batch')
    const known = unrecorded.size > 0 ? troubles - 1 : troubles
    return {
      async pass(work, judge) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          letIn()
        })
        let passage: Passage = 'trouble'
        try {
          const result = await work()
          passage = judge(result)
          return result
        } finally {
          leave(batch, passage)
        }
      },
      troubled: () => troubles > known,
      close: () => void unrecorded.delete(batch),
    }
  }
}
