// The MBG/NBD model of Batislam, Denizel and Filiztekin (2007): the BG/NBD model of Fader, Hardie and Lee (2005) with one
// difference: a guest can also be lost after the first visit. Assumptions: docs/rhythm.md.

/** The parameters of a group: how often its guests come (gamma: r, alpha in days), how soon they are lost (beta: a, b). */
export interface Parameters {
  r: number
  alpha: number
  a: number
  b: number
}

/** The three numbers of a guest that the model needs. A day counts as one visit. Times in the unit of alpha: days. */
export interface History {
  /** Visits after the first. */
  repeats: number
  /** From the first visit to the last. */
  recency: number
  /** From the first visit to now. */
  age: number
}

/** A history and how many guests have it. */
export interface Histories extends History {
  guests: number
}

/** ln(e^one + e^other), without overflow. */
function logSum(one: number, other: number): number {
  const most = Math.max(one, other)
  return most + Math.log1p(Math.exp(Math.min(one, other) - most))
}

/**
 * The log likelihood of the guests' histories. It needs no gamma function: ratios of gamma functions whose arguments
 * differ by whole numbers are products.
 */
export function logLikelihood({ r, alpha, a, b }: Parameters, histories: readonly Histories[]): number {
  const most = histories.reduce((known, { repeats }) => Math.max(known, repeats), 0)
  // By the number of repeats: ln Γ(r + x) − ln Γ(r), and ln B(a, b + x + 1) − ln B(a, b).
  const rate = [0]
  const staying = [Math.log(b / (a + b))]
  for (let x = 0; x < most; x++) {
    rate.push((rate[x] ?? 0) + Math.log(r + x))
    staying.push((staying[x] ?? 0) + Math.log((b + x + 1) / (a + b + x + 1)))
  }
  let sum = 0
  for (const { repeats: x, recency, age, guests } of histories) {
    const still = -(r + x) * Math.log(alpha + age)
    const lost = Math.log(a / (b + x)) - (r + x) * Math.log(alpha + recency)
    sum += guests * ((rate[x] ?? 0) + r * Math.log(alpha) + (staying[x] ?? 0) + logSum(still, lost))
  }
  return sum
}
