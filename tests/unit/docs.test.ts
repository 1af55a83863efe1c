import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DOCUMENTS = [
  ...globSync('*.md', { cwd: ROOT }),
  ...globSync('docs/**/*.md', { cwd: ROOT }),
  ...globSync('.github/**/*.md', { cwd: ROOT }),
]
const { scripts } = JSON.parse(read('package.json'))
/** What a path may have in place of a name: `<resource>`, `{es,en}`, `*`, `…`. */
const PLACEHOLDER = /[<>{}*…]/

/** Paths in backticks that begin in a folder of the repository. */
const namedPaths = (text: string) =>
  [...text.matchAll(/`((?:\.ci|\.github|app|components|docs|lib|public|scripts|supabase|tests)\/[^`\s]*)`/g)]
    .map(([, path = '']) => path.split(':')[0] ?? '')
    .filter((path) => !PLACEHOLDER.test(path))

const links = (text: string) =>
  [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?:|mailto:|\/)/.test(target))

const commands = (text: string) => [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name)

// A reader follows links and types commands; nothing else notices when they lead nowhere.
describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document)

  it('names only paths that are there', () => {
    expect(namedPaths(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('links only to files that are there', () => {
    const missing = links(text).filter((target) => !existsSync(join(ROOT, dirname(document), target)))
    expect(missing).toEqual([])
  })

  it('names only commands that are there', () => {
    expect(commands(text).filter((name) => !(name in scripts))).toEqual([])
  })
})

it('docs/dependencies.md has a line for every dependency, and no other', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const installed = Object.keys({ ...dependencies, ...devDependencies })
  const lines = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  const named = lines.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
  const isNamed = (name: string) =>
    named.some((each) => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1))))
  const typesOfNamed = (name: string) => name.startsWith('@types/') && isNamed(name.slice('@types/'.length))
  // The types of Node, and of the Markdown trees, are of no package with a line of its own.
  const known = ['@types/node', '@types/mdast', '@types/react']
  expect(installed.filter((name) => !isNamed(name) && !typesOfNamed(name) && !known.includes(name))).toEqual(
    [],
  )
  expect(named.filter((name) => !name.endsWith('*') && !installed.includes(name))).toEqual([])
})
