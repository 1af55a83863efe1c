import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const MANTINE = 'node_modules/@mantine'
const CORE = `${MANTINE}/core/esm`
const sources = globSync('{app,components}/**/*.{ts,tsx}').map((path) => readFileSync(path, 'utf8'))

// Without its styles a component is there and looks broken: no test in a browser sees that.
test('every Mantine component in use, and what it is made of, has its styles', () => {
  const asked = ['core', 'dates'].flatMap((name) => sources.flatMap((source) => componentsFrom(name, source)))
  expect(asked.length).toBeGreaterThan(10)
  const modules = [...reachable(asked)].filter(
    (file) => file.startsWith(CORE) && file.endsWith('.module.mjs'),
  )
  const needed = new Set(modules.map((file) => basename(file, '.module.mjs')))
  const given = sources.flatMap((source) =>
    [...source.matchAll(/'@mantine\/core\/styles\/([A-Z]\w+)\.layer\.css'/g)].map(([, name = '']) => name),
  )
  expect(given.sort()).toEqual([...needed].sort())
})

const known = new Map<string, Map<string, string>>()

/** A package's modules by the names of their files. */
function modulesOf(name: string): Map<string, string> {
  const found =
    known.get(name) ??
    new Map(globSync(`${MANTINE}/${name}/esm/**/*.mjs`).map((path) => [basename(path), path] as const))
  known.set(name, found)
  return found
}

/** The files of the components that a source imports from a package of Mantine's. */
function componentsFrom(name: string, source: string): string[] {
  const pattern = new RegExp(`import\\s*{([^}]*)}\\s*from\\s*['"]@mantine/${name}['"]`, 'g')
  const names = [...source.matchAll(pattern)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  )
  return names.flatMap((one) => modulesOf(name).get(`${one}.mjs`) ?? [])
}

/** What those files are made of, themselves included. */
function reachable(files: string[]): Set<string> {
  const seen = new Set(files)
  for (const file of seen) {
    const source = readFileSync(file, 'utf8')
    for (const [, path = ''] of source.matchAll(/from "(\.[^"]+\.mjs)"/g)) {
      const next = join(dirname(file), path)
      seen.add(next)
    }
    if (!file.startsWith(CORE)) for (const next of componentsFrom('core', source)) seen.add(next)
  }
  return seen
}
