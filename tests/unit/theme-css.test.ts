import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { themeCss } from '@/scripts/theme-css'

const bare = (css: string) => css.replace(/\s/g, '')
const read = (path: string) => readFileSync(path, 'utf8')
const FILE = 'components/ui/theme-variables.css'

test('the variables of the style sheet are those of the theme (else: npm run gen:theme)', () => {
  expect(bare(read(FILE))).toBe(bare(themeCss()))
})

// A missing colour draws nothing: no test in a browser sees that.
test('every palette that anything draws with is in it', () => {
  const core = [...read('components/ui/mantine-styles.ts').matchAll(/'(@mantine\/[^']+)'/g)]
  const others = globSync('node_modules/@mantine/{dates,notifications}/styles.layer.css')
  const sheets = [
    ...core.map(([, name = '']) => `node_modules/${name}`),
    ...others,
    ...globSync('{app,components}/**/*.css'),
  ]
  const named = sheets.flatMap((path) => read(path).match(/var\(--mantine-color-[a-z]+-[a-z0-9-]+/g) ?? [])
  const asked = globSync('{app,components}/**/*.tsx').flatMap((path) =>
    [...read(path).matchAll(/\bcolor(?:="|=\{[^}]*')([a-z]+)/g)].map(
      ([, name]) => `var(--mantine-color-${name}-filled`,
    ),
  )
  expect(asked).toContain('var(--mantine-color-red-filled')
  expect(named.length).toBeGreaterThan(50)
  const css = read(FILE)
  for (const name of new Set([...named, ...asked]))
    expect(css, name).toContain(`${name.replace('var(', '')}:`)
})
