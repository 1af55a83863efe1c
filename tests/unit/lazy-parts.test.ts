import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const lazy = globSync('{app,components}/**/*.tsx').flatMap((path) => {
  const text = readFileSync(path, 'utf8')
  return text
    .split('= dynamic(')
    .slice(1)
    .map((call) => ({ path, call: call.split(/\n(?:\n|const )/)[0] ?? '' }))
})

it('finds the parts that load later', () => {
  expect(lazy.length).toBeGreaterThan(30)
})

// Without a boundary of its own, a part that still loads hides the page around it, which then loses focus and scroll.
it('gives each of them a boundary of its own', () => {
  const open = lazy.filter(({ call }) => !/ssr: false|loading:/.test(call)).map(({ path }) => path)
  expect(open).toEqual([])
})
