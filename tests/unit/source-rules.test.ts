import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** What runs in production. */
const SHIPPED = globSync(['{app,components,lib}/**/*.{ts,tsx}', '*.ts'], { cwd: ROOT }).filter(
  (file) => !file.startsWith('vitest.config'),
)
const naming = (pattern: RegExp) => SHIPPED.filter((file) => pattern.test(read(file)))
const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }

describe('the code that runs in production', () => {
  it('is found', () => expect(SHIPPED.length).toBeGreaterThan(500))

  it.each<[string, RegExp]>([
    ['starts no process', /['"](node:)?child_process['"]/],
    ['runs no text as code', /\beval\(|\bnew Function\(|['"](node:)?vm['"]/],
    [
      'writes no HTML of its own into a page',
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML/,
    ],
    ['takes no random number that can be guessed', /\bMath\.random\b/],
    ['checks every certificate', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/],
    [
      'imports nothing of tests, simulators or the local stack',
      /from ['"][./@\w-]*\/(tests|supabase\/local|scripts)\//,
    ],
  ])('%s', (_, pattern) => expect(naming(pattern)).toEqual([]))

  it('imports no development dependency', () => {
    const names = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'))
    const imports = new RegExp(`^import (?!type).*from ['"](${names.join('|')})(/[^'"]*)?['"]`, 'm')
    expect(naming(imports)).toEqual([])
  })
})
