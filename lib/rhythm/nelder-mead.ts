/** The limit of steps; four parameters take a few hundred. */
const MAX_STEPS = 2000

interface Vertex {
  at: readonly number[]
  value: number
}

/**
 * Minimizes a function of a few numbers without derivatives: the simplex method of Nelder and Mead (1965), with their
 * coefficients. The first simplex is `start` and one point at the distance `size` in each direction.
 * @returns the position of the minimum; the best point so far if the steps run out before the relative difference of the
 * vertices is at most `tolerance`.
 */
export function nelderMead(
  f: (at: readonly number[]) => number,
  start: readonly number[],
  { size = 1, tolerance = 1e-8 } = {},
): readonly number[] {
  const vertex = (at: readonly number[]): Vertex => ({ at, value: f(at) })
  const sorted = (vertices: Vertex[]) => vertices.sort((one, other) => one.value - other.value)
  let simplex = sorted([
    vertex(start),
    ...start.map((_, n) => vertex(start.map((x, i) => (i === n ? x + size : x)))),
  ])
  for (let step = 0; step < MAX_STEPS; step++) {
    const best = simplex[0] as Vertex
    const worst = simplex.at(-1) as Vertex
    if (worst.value - best.value <= tolerance * (Math.abs(best.value) + tolerance)) break
    const others = simplex.slice(0, -1)
    const second = others.at(-1) as Vertex
    const centre = start.map((_, n) => others.reduce((sum, { at }) => sum + (at[n] ?? 0), 0) / others.length)
    /** The point on the line from the worst vertex through the centre, `times` that distance beyond the centre. */
    const beyond = (times: number) =>
      vertex(centre.map((middle, n) => middle + times * (middle - (worst.at[n] ?? 0))))
    let next: Vertex | null = beyond(1)
    if (next.value < best.value) {
      const further = beyond(2)
      if (further.value < next.value) next = further
    } else if (next.value >= second.value) {
      const nearer = beyond(next.value < worst.value ? 0.5 : -0.5)
      next = nearer.value < Math.min(next.value, worst.value) ? nearer : null
    }
    simplex = sorted(
      next
        ? [...others, next]
        : [best, ...simplex.slice(1).map(({ at }) => vertex(at.map((x, n) => (x + (best.at[n] ?? 0)) / 2)))],
    )
  }
  return simplex[0]?.at ?? start
}
