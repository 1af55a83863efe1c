const STEPS = 5

/** The step of colour (1 to 5) of a value beside the largest one, for `data-heat`; none for nothing. */
export function heatStep(value: number | null, most: number): number | undefined {
  return value && most > 0 ? Math.min(STEPS, Math.ceil((value / most) * STEPS)) : undefined
}
