/** The shares of guests that the example of a test starts from: how many of 100 book or click without the change. */
export const USUAL_SHARE = { visits: 0.05, clicks: 0.1 } as const

/** A difference of more points than this is more than a subject or a text usually makes. */
export const LARGE_POINTS = 5

/** With fewer guests on a side, the approximation does not hold, and no test shows anything of use. */
const LEAST_GUESTS = 20

// 95 % confidence and 80 % power, the usual choice.
const Z = 1.959964 + 0.841621

/** How a test divides the guests: each variant's number, and those who wait for the winner. */
export interface TestSides {
  a: number
  b: number
  rest: number
}

/** How many guests get version A, version B, and later the winner. `share` is in per cent (10 to 100); at 100 no guests are left for the winner. */
export function sidesOf(guests: number, share: number): TestSides {
  const tested = Math.round((guests * share) / 100)
  const b = Math.floor(tested / 2)
  return { a: tested - b, b, rest: guests - tested }
}

/**
 * The least difference, in percentage points, that a test with so many guests on each side would show in four of five
 * cases, by the usual approximation for two proportions.
 * @param usual the share, from 0 to 1, without the change
 * @returns null with fewer than 20 guests on a side: nothing would show
 */
export function leastPoints(guests: number, usual: number): number | null {
  if (guests < LEAST_GUESTS) return null
  // The larger share has the larger variance, so the difference is found by a few rounds.
  let difference = Math.sqrt((2 * usual * (1 - usual)) / guests) * Z
  for (let round = 0; round < 20; round++) {
    const other = usual + difference
    difference = Z * Math.sqrt((usual * (1 - usual) + other * (1 - other)) / guests)
  }
  return 100 * difference
}
