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
