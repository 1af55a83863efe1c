const NEARBY = ['Europe/Madrid', 'Atlantic/Canary', 'Europe/Lisbon', 'Europe/Andorra']

/** The time zones to choose from, the nearby and the current one first. */
export function timeZones(current?: string): string[] {
  return [...new Set([...NEARBY, ...(current ? [current] : []), ...Intl.supportedValuesOf('timeZone')])]
}
