// `npm run test:again -- 20 [files]`: tests again and again, beside a load on every core, in another order each time. Ends
// with the tests that failed, how often and with which seeds; `-- 1 --seed=5 [files]` repeats the run of seed 5.
// `--tests` also mixes the tests of each file, `--journeys` repeats the browser tests, STACK chooses the stack.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLoad } from './load'
import { failedTests, tally } from './reports'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    journeys: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
  },
})
const [times = '20', ...files] = positionals
const count = Number(times)
const first = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(first)) {
  console.error('npm run test:again -- <times> [--seed=<number>] [--tests] [--journeys] [files]')
  process.exit(2)
}

const directory = mkdtempSync(join(tmpdir(), 'sobremesa-again-'))
console.log(`The output of each run is in ${directory}`)

const vitest = (seed: number, report: string) =>
  [
    'vitest',
    ['run', '--config', 'tests/again/vitest.config.ts', `--sequence.seed=${seed}`].concat(
      values.tests ? ['--sequence.shuffle.tests'] : [],
      ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files],
    ),
  ] as const
// Playwright knows no random order.
const journeys = () => ['tsx', ['tests/e2e/run.ts', '--retries=0', '--reporter=list,json', ...files]] as const

async function run(seed: number) {
  const report = join(directory, `${seed}.json`)
  const [command, options] = values.journeys ? journeys() : vitest(seed, report)
  const child = spawn(command, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const log = createWriteStream(join(directory, `${seed}.log`))
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
  log.end()
  return { seed, failed: failedTests({ seed, code, report }) }
}

const endLoad = startLoad()
const runs: Awaited<ReturnType<typeof run>>[] = []
try {
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    const done = await run(first + n)
    runs.push(done)
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(`${n + 1} of ${count}, seed ${done.seed}: ${done.failed.length} failed, ${seconds} s`)
  }
} finally {
  endLoad()
}
const lines = tally(runs)
console.log(lines.length === 0 ? `\nNothing failed in ${count} runs` : `\n${lines.join('\n')}`)
process.exit(lines.length === 0 ? 0 : 1)
