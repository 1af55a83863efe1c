import type { Histories, History, Parameters } from '@/lib/rhythm/model'

/** The log likelihood of BG/NBD (Fader, Hardie, Lee 2005, equation 6): no guest is lost after the first visit. */
export function bgLogLikelihood({ r, alpha, a, b }: Parameters, histories: readonly Histories[]): number {
  const most = histories.reduce((known, { repeats }) => Math.max(known, repeats), 0)
  const rate = [0]
  const staying = [0]
  for (let x = 0; x < most; x++) {
    rate.push((rate[x] ?? 0) + Math.log(r + x))
    staying.push((staying[x] ?? 0) + Math.log((b + x) / (a + b + x)))
  }
  return histories.reduce((sum, { repeats: x, recency, age, guests }) => {
    const still = -(r + x) * Math.log(alpha + age)
    const lost = x === 0 ? -Infinity : Math.log(a / (b + x - 1)) - (r + x) * Math.log(alpha + recency)
    const likely = Math.max(still, lost) + Math.log1p(Math.exp(-Math.abs(still - lost)))
    return sum + guests * ((rate[x] ?? 0) + r * Math.log(alpha) + (staying[x] ?? 0) + likely)
  }, 0)
}

/** The probability that a guest is not lost; 1 for guests who came once. */
export function bgAliveProbability(
  { r, alpha, a, b }: Parameters,
  { repeats: x, recency, age }: History,
): number {
  return x === 0 ? 1 : 1 / (1 + (a / (b + x - 1)) * ((alpha + age) / (alpha + recency)) ** (r + x))
}

/** The probability of a visit within the next `days`. */
export function bgReturnProbability(parameters: Parameters, history: History, days: number): number {
  const { r, alpha } = parameters
  const none = ((alpha + history.age) / (alpha + history.age + days)) ** (r + history.repeats)
  return bgAliveProbability(parameters, history) * (1 - none)
}
