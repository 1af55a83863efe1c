import { Fragment, type ReactNode } from 'react'

/** The parts of a text as elements. It only grows at its end, so positions are what identifies its parts. */
export function each<T>(parts: readonly T[], node: (part: T, index: number) => ReactNode): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return parts.map((part, index) => <Fragment key={index}>{node(part, index)}</Fragment>)
}
