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
  const install = packagesOf(tree.directory) === packagesOf('.') ? [] : [['ci']]
  console.log(`The app of ${version} (${commit.slice(0, 8)}) on the database of this tree`)
  const failed = [...install, ...STEPS].find((step) => npm(step) !== 0)
  console.log(
    failed
      ? `It fails in: npm ${failed.join(' ')}`
      : `It passed in ${STEPS.map((step) => step.slice(1).join(' ')).join(', ')}`,
  )
  process.exitCode = failed ? 1 : 0
} finally {
  tree.remove()
}

/** What `npm ci` installs; the project's own version stands there too. */
function packagesOf(directory: string): string {
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))
  delete packages[''].version
  return JSON.stringify(packages)
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
