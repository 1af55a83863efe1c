// `npm run test:former-app`: the app of the last release on the database of this tree, as people meet it while a deployment
// goes on. The release's own contract and page tests decide. Needs Postgres 15, Chromium and the repository's history.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readReleases } from '../../supabase/release/releases'
import { copyTree } from '../breaks/tree'
import { dataFile } from './data'

const DATABASE = ['supabase/schema', 'supabase/logic', 'supabase/migrations']
const STEPS = [
  ['run', 'build'],
  ['run', 'test:contract'],
  ['run', 'test:e2e', '--', 'e2e/every-page.spec.ts'],
]

const version = Object.keys(readReleases()).at(-1) ?? ''
const added = ['log', '--format=%H', '--diff-filter=A', '--', dataFile(version)]
const commit = execFileSync('git', added, { encoding: 'utf8' }).trim().split('\n').at(-1)
if (!commit)
  throw new Error(`No commit of this repository's history has ${dataFile(version)}: fetch the whole history.`)
const tree = copyTree(commit)
try {
  for (const path of DATABASE) {
    rmSync(join(tree.directory, path), { recursive: true })
    cpSync(path, join(tree.directory, path), { recursive: true })
  }
  const lock = (directory: string) => readFileSync(join(directory, 'package-lock.json'), 'utf8')
  const install = lock(tree.directory) === lock('.') ? [] : [['ci']]
  console.log(`The app of ${version} (${commit.slice(0, 8)}) on the database of this tree`)
  const failed = [...install, ...STEPS].filter((step) => npm(step) !== 0)
  console.log(
    failed.length === 0
      ? `${STEPS.length} steps passed: the app of ${version} works`
      : `The app of ${version} fails: ${failed.map((step) => `npm ${step.join(' ')}`).join(', ')}`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  tree.remove()
}

function npm(step: string[]): number | null {
  return spawnSync('npm', step, {
    cwd: tree.directory,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...{ STACK: 'postgres', APP_BUILT: '1' },
      // The release's own programs first.
      PATH: `${join(tree.directory, 'node_modules/.bin')}:${process.env.PATH}`,
    },
  }).status
}
