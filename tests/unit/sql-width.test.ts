import { expect, it } from 'vitest'
import { readSources } from '@/supabase/release/sources'

// No formatter survives this SQL (docs/decisions/0011-state-and-logic.md), so the width is checked, as Biome does for code.
const WIDTH = 110

/** The lines without what may be wider: comments of objects, data, SQL in quotes, and words in quotes that pass the width. */
function breakable(text: string): string[] {
  const comments = text.split('\n').filter((line) => /^\s*--/.test(line))
  const code = text
    .replace(/^\s*--.*$/gm, '')
    .replace(/\$(names|sql)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/^comment on [\s\S]*?';$/gm, '')
    .replace(/"[^"\n]*"|'(?:[^']|'')*'/g, (quoted) => (quoted.includes('\n') ? "''\n" : quoted))
    .split('\n')
  return [...comments, ...code.filter((line) => !quotedAt(line, WIDTH))]
}

/** Whether a column is inside quotes. */
const quotedAt = (line: string, column: number) => (line.slice(0, column).split("'").length - 1) % 2 === 1

it(`SQL is at most ${WIDTH} characters wide`, () => {
  const { schema, logic } = readSources()
  const wide = [...schema, ...logic].flatMap(({ path, text }) =>
    breakable(text)
      .filter((line) => [...line].length > WIDTH)
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(wide).toEqual([])
})
