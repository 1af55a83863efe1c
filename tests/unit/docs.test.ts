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
const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json'))
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

/** The schema without its comments. */
const SCHEMA = globSync('supabase/migrations/*.sql', { cwd: ROOT })
  .map(read)
  .join('\n')
  .replace(/--.*$/gm, '')
const MADE = new Set(
  [...SCHEMA.matchAll(/create (?:table|(?:or replace )?function) ((?:public|private)\.\w+)/g)].map(
    ([, name]) => name,
  ),
)

/** The columns that a table is made with. */
function columnsOf(table: string): string[] {
  const made = SCHEMA.split(`create table public.${table} (\n`)[1]?.split('\n);')[0] ?? ''
  return [...made.matchAll(/^ {2}(?!constraint|primary|unique|check|foreign)(\w+) /gm)].map(
    ([, name = '']) => name,
  )
}

/** `table.column` of what a text inserts and sets. */
function columnsIn(text: string): string[][] {
  const inserted = [...text.matchAll(/insert into public\.(\w+) \(([^)]*)\)/g)]
  const set = [...text.matchAll(/update public\.(\w+) set (\w+) =/g)]
  return [...inserted, ...set].flatMap(([, table = '', columns = '']) =>
    columns.split(/,\s*/).map((column) => [table, column]),
  )
}

it('names only tables, functions and columns that the schema has', () => {
  const unknown = DOCUMENTS.flatMap((document) => {
    const text = read(document)
    const names = [...text.matchAll(/\b(?:public|private)\.[a-z]\w+(?![\w…*])/g)].map(([name]) => name)
    const columns = columnsIn(text).filter(([table = '', column = '']) => !columnsOf(table).includes(column))
    return [...names.filter((name) => !MADE.has(name)), ...columns.map((pair) => pair.join('.'))].map(
      (name) => `${document}: ${name}`,
    )
  })
  expect(unknown).toEqual([])
})

it('gives every dependency its line', () => {
  const lines = read('docs/dependencies.md')
  const named = [...lines.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const has = (name: string) =>
    named.some((each) => (each.endsWith('/*') ? name.startsWith(each.slice(0, -1)) : each === name))
  const all = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !name.startsWith('@types/'),
  )
  expect(all.filter((name) => !has(name))).toEqual([])
})

/** Paths that comments name, in code and in SQL. */
const COMMENTED =
  /(?:\/\/|\*|--|').*?(?<![\w/.@-])((?:app|components|docs|lib|scripts|supabase|tests)\/[\w/.[\]()-]+\.(?:tsx?|sql|md|css))\b/g

it('names only files that are there in comments, also those of the schema', () => {
  const missing = globSync('{app,components,lib,scripts,supabase,tests}/**/*.{ts,tsx,sql}', {
    cwd: ROOT,
  }).flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => /^\s*(?:\/\/|\/?\*|--|')/.test(line))
      .flatMap((line) => [...line.matchAll(COMMENTED)].map(([, path = '']) => path))
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})
