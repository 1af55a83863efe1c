import { IconCircleCheckFilled, IconCircleDashed, IconCircleMinus } from '@tabler/icons-react'

export type StepState = 'done' | 'missing' | 'skipped'

/** The sign of a step's state; its words stand beside it. */
export function StepMark({ state }: { state: StepState }) {
  const Mark = { done: IconCircleCheckFilled, missing: IconCircleDashed, skipped: IconCircleMinus }[state]
  return <Mark size={20} aria-hidden />
}
