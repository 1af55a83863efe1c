/** A place in a pattern: the alternatives by their first word, and whether it may be left out. */
interface Part {
  alternatives: ReadonlyMap<string, readonly (readonly string[])[]>
  optional: boolean
}

/** Phrases and their meanings, as bits. */
export class PhraseBook {
  private readonly patterns: { parts: readonly Part[]; meaning: number }[] = []

  /**
   * Learns the phrases of a pattern, and returns their words. `(a|b) [c]` is a, b, a c and b c; `{name}` stands for
   * alternatives that are written once.
   * @param words the alternatives by name, separated by `|`
   */
  learn(pattern: string, meaning: number, words: Readonly<Record<string, string>> = {}): Set<string> {
    const named = (phrase: string): string[] => {
      const name = /\{(\w+)\}/.exec(phrase)
      if (!name) return [phrase]
      const alternatives = words[name[1] ?? '']
      if (alternatives === undefined) throw new Error(`the pattern "${pattern}" names unknown words`)
      return alternatives.split('|').flatMap((one) => named(phrase.replace(name[0], one)))
    }
    const parts = (pattern.match(/\([^)]*\)|\[[^\]]*\]|[^\s()[\]]+/g) ?? []).map((part) => ({
      alternatives: Map.groupBy(
        part
          .replace(/^[([]|[)\]]$/g, '')
          .split('|')
          .flatMap(named)
          .map((phrase) => phrase.split(' ')),
        ([first = '']) => first,
      ),
      optional: part.startsWith('['),
    }))
    this.patterns.push({ parts, meaning })
    return new Set(parts.flatMap(({ alternatives }) => [...alternatives.values()].flat(2)))
  }

  /** All readings of the words by phrases to the last word, as bits of their meanings; empty: not covered. */
  readingsOf(words: readonly string[]): Set<number> {
    const upTo: Set<number>[] = [new Set([0]), ...words.map(() => new Set<number>())]
    for (const [start, before] of upTo.entries()) {
      if (before.size === 0) continue
      for (const { parts, meaning } of this.patterns)
        for (const end of endsOf(parts, words, start))
          if (end > start) for (const bits of before) upTo[end]?.add(bits | meaning)
    }
    return upTo[words.length] ?? new Set()
  }
}

/** Where a phrase of the pattern that begins at `start` may end. */
function endsOf(parts: readonly Part[], words: readonly string[], start: number): Set<number> {
  let at = new Set([start])
  for (const { alternatives, optional } of parts) {
    const next = new Set(optional ? at : [])
    for (const position of at)
      for (const phrase of alternatives.get(words[position] ?? '') ?? [])
        if (phrase.every((word, offset) => words[position + offset] === word))
          next.add(position + phrase.length)
    at = next
    if (at.size === 0) break
  }
  return at
}
