import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const DOCUMENTS = ['SECURITY.md', 'docs/asvs.md']
const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string) => readFileSync(ROOT + path, 'utf8')

/** How many requirements of levels 1 and 2 each section of ASVS 5.0 has; they come first in their section. */
const COUNTS =
  `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`.split(
    /\s+/,
  )
const REQUIREMENTS = COUNTS.flatMap((section) => {
  const [name, count] = section.split(':')
  return Array.from({ length: Number(count) }, (_, index) => `${name}.${index + 1}`)
})

/** The paths in backticks that lie in a folder of the source. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:tests|lib|app|components|scripts|supabase|docs)\/[^`\s]*)`/g)].map(
    ([, path = '']) => path,
  )

/** The requirements that a row's first cell names: `1.2.3`, `1.2.3, 1.2.5` or `1.2.3–1.2.5`. */
function requirementsOf(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split('–')
    const [from, to] = [REQUIREMENTS.indexOf(first), REQUIREMENTS.indexOf(last)]
    return from < 0 || to < from ? [`${part} is no requirement`] : REQUIREMENTS.slice(from, to + 1)
  })
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('names no file that is not there', () => {
    const paths = pathsIn(read(document))
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter((path) => !existsSync(ROOT + path))).toEqual([])
  })
})

describe('SECURITY.md', () => {
  it('names every test of tests/security', () => {
    const named = pathsIn(read('SECURITY.md'))
    const there = globSync('tests/security/*.test.ts', { cwd: ROOT })
    expect(there.filter((path) => !named.includes(path))).toEqual([])
  })

  it('names tests that `npm run test:security` runs', () => {
    const config = read('package.json')
    const filters = /"test:security": "vitest run ([^"]+)"/.exec(config)?.[1]?.split(' ') ?? []
    const own = /^tests\/(api|security|sql|unit)\/.*\.test\.ts$/
    const named = pathsIn(read('SECURITY.md')).filter((path) => own.test(path))
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((path) => !filters.some((filter) => path.includes(filter)))).toEqual([])
    expect(filters.filter((filter) => !named.some((path) => path.includes(filter)))).toEqual([])
  })
})

describe('docs/asvs.md', () => {
  const rows = read('docs/asvs.md')
    .split('\n')
    .filter((line) => /^\| *\d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

  it('has every requirement of levels 1 and 2 once', () => {
    expect(REQUIREMENTS).toHaveLength(253)
    const covered = rows.flatMap(([, ids = '']) => requirementsOf(ids))
    expect(covered.toSorted()).toEqual(REQUIREMENTS.toSorted())
  })

  it('gives each row a state and a place or reason', () => {
    const unclear = rows.filter(
      ([, , text, state = '', why]) =>
        !text || !why || !['yes', 'part', 'open', 'host', 'n/a'].includes(state),
    )
    expect(unclear).toEqual([])
  })
})
