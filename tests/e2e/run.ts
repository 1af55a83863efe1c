// `npm run test:e2e [files]`: the demo on ports and data of its own, then the browser tests. As a newcomer starts it, or
// with STACK=postgres on Postgres, PostgREST and Auth.
// With E2E_LANES=2 so many demos beside each other, each for its share of the files; E2E_RECORD=1 renews the shares.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startDemo } from '../../scripts/demo/demo-process'
import build from '../contract/build'
import { freePort } from '../support/free-port'
import { filesOfLanes, recordDurations } from './lanes'
import { zoneWithinService } from './venue-zone'

const lanes = Number(process.env.E2E_LANES ?? 1)
const directory = mkdtempSync(join(tmpdir(), 'sobremesa-e2e-'))
const given = process.argv.slice(2)
// Once for all lanes: two builds beside each other break each other.
if (lanes > 1) {
  build()
  process.env.APP_BUILT = '1'
}
const shares = lanes > 1 ? filesOfLanes(lanes) : [[]]
try {
  const ends = await Promise.allSettled(shares.map((files, lane) => runLane(lane, files)))
  for (const end of ends) if (end.status === 'rejected') console.error(end.reason)
  const passed = ends.every((end) => end.status === 'fulfilled' && end.value === 0)
  if (passed && process.env.E2E_RECORD === '1') recordDurations(shares.map((_, lane) => reportOf(lane)))
  process.exitCode = passed ? 0 : 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** One demo, and the tests on it. Resolves to the exit code. */
async function runLane(lane: number, files: string[]): Promise<number> {
  const [port, supabase, pms, resend] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const environment = {
    PORT: String(port),
    SUPABASE_PORT: String(supabase),
    PMS_PORT: String(pms),
    DATA_DIR: join(directory, String(lane)),
    DEMO_JOBS: 'once',
    // Two syncs in a row tell that a booking left the PMS.
    PMS_MISSING_MINUTES: '0',
    DEMO_TIMEZONE: process.env.DEMO_TIMEZONE ?? zoneWithinService(),
    // Where the tests that need a provider start one.
    RESEND_BASE_URL: `http://127.0.0.1:${resend}`,
  }
  const began = Date.now()
  const demo = await startDemo(environment)
  console.log(`The demo of lane ${lane + 1} took ${Math.round((Date.now() - began) / 1000)} s`)
  try {
    return await playwright(lane, files, {
      ...environment,
      BASE_URL: demo.url,
      PMS_URL: `http://127.0.0.1:${pms}`,
      E2E_LANE: String(lane),
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(lane),
    })
  } finally {
    await demo.stop()
  }
}

/** Where a lane's report goes: `e2e.json` becomes `e2e-1.json`, `e2e-2.json` … */
function reportOf(lane: number): string {
  const file = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(directory, 'report.json')
  return lanes > 1 ? file.replace(/(\.\w+)?$/, `-${lane + 1}$1`) : file
}

function playwright(lane: number, files: string[], environment: Record<string, string>): Promise<number> {
  // Playwright takes each for a part of a path: with its slash it is no other file's end.
  const paths = files.map((file) => `/${file}`)
  const args = ['test', '--config', 'tests/e2e/playwright.config.ts', ...paths, ...given]
  const runner = spawn('playwright', args, {
    stdio: ['ignore', lanes > 1 ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  if (runner.stdout)
    createInterface(runner.stdout).on('line', (line) => console.log(`lane ${lane + 1} | ${line}`))
  return new Promise((resolve) => runner.once('exit', (status) => resolve(status ?? 1)))
}
