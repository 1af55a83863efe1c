// `npm run test:e2e`: the demo as a newcomer starts it, on ports and data of its own, then the browser tests.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDemo } from '../../scripts/demo/demo-process'

const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-e2e-'))
const demo = await startDemo({ PORT: '3210', SUPABASE_PORT: '54810', PMS_PORT: '4810', DATA_DIR: dataDir })
let code = 1
try {
  code = await new Promise((resolve) => {
    const runner = spawn(
      'playwright',
      ['test', '--config', 'tests/e2e/playwright.config.ts', ...process.argv.slice(2)],
      {
        stdio: 'inherit',
        env: { ...process.env, BASE_URL: demo.url, PMS_URL: 'http://127.0.0.1:4810' },
      },
    )
    runner.once('exit', (status) => resolve(status ?? 1))
  })
} finally {
  await demo.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(code)
