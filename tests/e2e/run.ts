// `npm run test:e2e`: the demo as a newcomer starts it, on ports and data of its own, then the browser tests.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDemo } from '../../scripts/demo/demo-process'

// Two runs beside each other (E2E_PORT_SHIFT=1) stay out of each other's way, and all out of that of outgoing connections.
const shift = Number(process.env.E2E_PORT_SHIFT ?? 0)
const port = String(3210 + shift)
const supabasePort = String(24810 + shift)
const pmsPort = String(4810 + shift)
// Where the tests that need a provider start one.
const resendUrl = `http://127.0.0.1:${4910 + shift}`
const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-e2e-'))
const demo = await startDemo({
  PORT: port,
  SUPABASE_PORT: supabasePort,
  PMS_PORT: pmsPort,
  DATA_DIR: dataDir,
  RESEND_BASE_URL: resendUrl,
})
let code = 1
try {
  code = await new Promise((resolve) => {
    const runner = spawn(
      'playwright',
      ['test', '--config', 'tests/e2e/playwright.config.ts', ...process.argv.slice(2)],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          BASE_URL: demo.url,
          PMS_URL: `http://127.0.0.1:${pmsPort}`,
          SUPABASE_PORT: supabasePort,
          DATA_DIR: dataDir,
          RESEND_BASE_URL: resendUrl,
        },
      },
    )
    runner.once('exit', (status) => resolve(status ?? 1))
  })
} finally {
  await demo.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(code)
