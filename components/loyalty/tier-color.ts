const SHADES = [2, 3, 4, 5, 6, 7, 8] as const

/** The shade of a tier by its place: the higher, the deeper. The same in both colour schemes. */
export function tierColor(index: number, count: number): string {
  const step = count > 1 ? Math.round((index / (count - 1)) * (SHADES.length - 1)) : SHADES.length - 1
  return `var(--mantine-color-teja-${SHADES[step]})`
}
