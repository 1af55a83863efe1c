import type { Closing } from './schema'

/** Which part of its day a closing closes: all of it, a shift, a zone, or a zone during a shift. */
export function closedPart({ shift, zone }: Pick<Closing, 'shift' | 'zone'>) {
  return shift === null ? (zone === null ? 'day' : 'zone') : zone === null ? 'shift' : 'both'
}
