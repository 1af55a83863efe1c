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
    [
      // A browser shows and reads these as its own language says, and gives no text where it cannot read it.
      'has no number input: people write numbers into a NumberField',
      /type="number"|type: 'number'|valueAsNumber|<NumberInput/,
    ],
    ['reads no number from a text with a decimal comma by itself', /\.replace\((','|\/,\/g?), '\.'\)/],
  ])('%s', (_, pattern) => expect(naming(pattern)).toEqual([]))

  it('asks for numbers by the one component, but for the codes of a second factor and the grid of loyalty', () => {
    expect(naming(/inputMode[=:] ?["'](numeric|decimal)/)).toEqual([
      'components/second-factor/code-field.tsx',
    ])
    expect(naming(/\bnumberInput\(/).toSorted()).toEqual([
      'components/forms/number-field.tsx',
      'components/loyalty/rules-grid.tsx',
    ])
  })

  it('asks no outside answer for a key that may be missing: z.unknown() as a key needs it', () => {
    // The schema of what was loaded is partial.
    expect(naming(/\w: z\.(unknown|any)\(\)(?!\.(optional|nullish|default|catch))/)).toEqual([
      'lib/segments/schema.ts',
    ])
  })

  it('imports no development dependency', () => {
    const names = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'))
    const imports = new RegExp(`^import (?!type).*from ['"](${names.join('|')})(/[^'"]*)?['"]`, 'm')
    expect(naming(imports)).toEqual([])
  })
})
