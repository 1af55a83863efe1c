import { afterAll, beforeAll, expect, it } from 'vitest'
import { fold } from '@/lib/text/fold'
import { type Stack, startStack } from '../support/stack'
import cases from '../text-cases.json'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.close())

const folded = (texts: string[]) =>
  stack
    .sql<{ once: string; twice: string }>(
      `select private.fold(text) as once, private.fold(private.fold(text)) as twice
       from jsonb_array_elements_text($1::jsonb) with ordinality as t (text, place) order by place`,
      [JSON.stringify(texts)],
    )
    .then((rows) => rows.map(({ once, twice }) => [once, twice]))

it('is that of the table of cases, and again the same', async () => {
  expect(await folded(cases.fold.map((one) => one.in))).toEqual(cases.fold.map(({ out }) => [out, out]))
})

it('is the empty text for null', async () => {
  expect(await stack.sql('select private.fold(null) as none')).toEqual([{ none: '' }])
})

it('of random texts is in SQL as in TypeScript, and again the same', async () => {
  const letters = [...new Set(cases.fold.flatMap(({ in: text, out }) => [...text, ...out]))]
  // Latin, Greek and Cyrillic, punctuation, and the compatibility forms of both.
  for (const [from, to] of [
    [0x20, 0x24f],
    [0x300, 0x3ff],
    [0x400, 0x45f],
    [0x1e00, 0x1eff],
    [0x2000, 0x20cf],
    [0x2100, 0x214f],
    [0xfb00, 0xfb06],
    [0xff01, 0xff5e],
  ] as const)
    for (let code = from; code <= to; code++) letters.push(String.fromCodePoint(code))
  // A draw that is the same each time.
  let seed = 17
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const texts = letters.concat(
    Array.from({ length: 5000 }, () =>
      Array.from({ length: 1 + draw(12) }, () => letters[draw(letters.length)]).join(''),
    ),
  )
  const wrong = (await folded(texts)).flatMap(([once, twice], index) => {
    const text = texts[index] ?? ''
    const ours = fold(text)
    return once === ours && twice === ours && fold(ours) === ours
      ? []
      : [{ text: escape(text), once, twice, ours }]
  })
  expect(wrong).toEqual([])
})

it('is in the patterns of a segment’s search as in those of a list', async () => {
  const patterns = await stack.sql<{ patterns: string[] }>(
    `select private.segment_patterns(text) as patterns
     from jsonb_array_elements_text($1::jsonb) with ordinality as t (text, place) order by place`,
    [JSON.stringify(cases.search.map((one) => one.in))],
  )
  expect(patterns.map((row) => row.patterns)).toEqual(cases.search.map(({ out }) => out))
})
