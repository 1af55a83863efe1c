/** The bounds of both thresholds. */
export const THRESHOLDS = { likely: { min: 0.5, max: 0.99 }, certain: { min: 0.95, max: 1 } } as const
