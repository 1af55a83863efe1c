/** Where a machine stands: the places in its pattern; empty when no text with this beginning can match. */
export type State = ReadonlySet<number>

/** A pattern of digits that reads one digit after the other. */
export interface Machine {
  start: State
  step: (state: State, digit: string) => State
}

/** From a place to another one by one of these digits; null: without any. */
type Edge = readonly [digits: string | null, to: number]

const DIGITS = [...'0123456789']

/**
 * A machine for a regular expression of digits, as libphonenumber has them: digits, `\d`, `[…]`, groups, `|`, `?`, `{m}`
 * and `{m,n}`.
 * @throws Error for any other.
 */
export function digitMachine(pattern: string): Machine {
  const edges: Edge[][] = []
  let at = 0
  const place = () => edges.push([]) - 1
  const join = (from: number, to: number, digits: string | null = null) =>
    void edges[from]?.push([digits, to])

  function choice(from: number): number {
    const to = place()
    do {
      const begin = place()
      join(from, begin)
      join(sequence(begin), to)
    } while (pattern[at] === '|' && ++at)
    return to
  }

  function sequence(from: number): number {
    let last = from
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') last = repeated(last)
    return last
  }

  function repeated(from: number): number {
    const begin = at
    let last = atom(from)
    const [text, least, most] = /^(?:\?|\{(\d+)(?:,(\d+))?\})/.exec(pattern.slice(at)) ?? ['', '1']
    const end = at + text.length
    const [min, max] = text === '?' ? [0, 1] : [Number(least), Number(most ?? least)]
    const exits = min === 0 ? [from] : []
    if (min <= 1) exits.push(last)
    for (let n = 2; n <= max; n++) {
      at = begin
      last = atom(last)
      if (n >= min) exits.push(last)
    }
    at = end
    const to = place()
    for (const exit of exits) join(exit, to)
    return to
  }

  function atom(from: number): number {
    const rest = pattern.slice(at)
    if (rest.startsWith('(')) {
      at += rest.startsWith('(?:') ? 3 : 1
      const to = choice(from)
      if (pattern[at++] !== ')') throw new Error(`a group is open: ${pattern}`)
      return to
    }
    const [text] = /^(?:\d|\\d|\[[\d-]+\])/.exec(rest) ?? []
    if (!text) throw new Error(`no pattern of digits: ${pattern}`)
    at += text.length
    const to = place()
    join(from, to, DIGITS.filter((digit) => new RegExp(text).test(digit)).join(''))
    return to
  }

  function closed(places: Iterable<number>): State {
    const found = new Set(places)
    // A set hands out what is added while it is read.
    for (const one of found) for (const [digits, to] of edges[one] ?? []) if (digits === null) found.add(to)
    return found
  }

  const begin = place()
  choice(begin)
  if (at !== pattern.length) throw new Error(`no pattern of digits: ${pattern}`)
  return {
    start: closed([begin]),
    step: (state, digit) =>
      closed(
        [...state].flatMap((one) =>
          (edges[one] ?? []).flatMap(([by, to]) => (by?.includes(digit) ? [to] : [])),
        ),
      ),
  }
}
