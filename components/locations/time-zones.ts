const FIRST = ['Europe/Madrid', 'Atlantic/Canary', 'Europe/Lisbon', 'Europe/Andorra']

/** The time zones to choose from, those of the neighbourhood and the current one first. */
export function timeZones(current?: string): string[] {
  return [...new Set([...FIRST, ...(current ? [current] : []), ...Intl.supportedValuesOf('timeZone')])]
}
