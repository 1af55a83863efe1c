import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { DEMO_SEED } from '../../../scripts/demo/history'
import { runJobsOnce } from '../../../scripts/demo/local-run'
import { answers } from '../../../scripts/demo/processes'
import { seedDemo } from '../../../scripts/demo/seed'
import type { DemoSettings } from '../../../scripts/demo/settings'
import { loadKeys } from '../../../supabase/local/keys'
import build from '../../contract/build'
import { type BuiltApp, startBuiltApp } from '../../contract/built-app'
import { startCluster } from '../../support/postgres/cluster'
import { type PostgresStack, startPostgresStack } from '../../support/postgres/stack'

const PMS_PORT = 4890
const PMS_KEY = 'bench-pages-key'

/** The built app on Postgres with the demo's data, `scale` times over (`DEMO_SCALE`, else 20). */
export async function withDemoOnPostgres<T>(
  work: (app: BuiltApp, stack: PostgresStack) => Promise<T>,
  { scale = Number(process.env.DEMO_SCALE ?? 20) } = {},
): Promise<T> {
  build()
  const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-pages-'))
  const keys = await loadKeys(dataDir)
  const closers: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
  try {
    const { connection, stop } = await startCluster()
    closers.push(stop)
    const stack = await startPostgresStack(connection, keys)
    closers.push(stack.close)
    closers.push(await startPms(scale))
    const app = await startBuiltApp(stack)
    closers.push(app.stop)
    const settings: DemoSettings = {
      port: Number(new URL(app.url).port),
      supabasePort: Number(new URL(stack.url).port),
      pmsPort: PMS_PORT,
      dataDir,
      scale,
      timezone: TIME_ZONE,
      keys,
      cronSecret: keys.cronSecret,
      pmsKey: PMS_KEY,
    }
    await seedDemo(settings)
    if (!(await runJobsOnce(settings))) throw new Error('The first sync failed')
    // As autovacuum leaves a database that has been in use.
    await stack.sql('vacuum analyze')
    // Where the list of pages finds the keys of its unsubscribe link.
    process.env.DATA_DIR = dataDir
    process.env.SUPABASE_PORT = String(settings.supabasePort)
    return await work(app, stack)
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function startPms(scale: number): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/fakes/pms/serve.ts'], {
    env: {
      ...process.env,
      PMS_PORT: String(PMS_PORT),
      PMS_API_KEY: PMS_KEY,
      PMS_SEED: DEMO_SEED,
      PMS_SCALE: String(scale),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answers(`http://127.0.0.1:${PMS_PORT}/`)
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
