// `npm run dev`: Next in development. Without SUPABASE_URL it brings the embedded stack, the PMS simulator
// and the demo data, in the same data directory as `npm run demo`.
import { existsSync } from 'node:fs'
import { startBackends } from './demo/local-run'
import { start, stopAll } from './demo/processes'
import { appEnvironment, readSettings, sendingEnvironment } from './demo/settings'

process.once('SIGINT', () => void stopAll(0))
process.once('SIGTERM', () => void stopAll(0))
for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

try {
  const settings = await readSettings()
  const hosted = Boolean(process.env.SUPABASE_URL)
  if (!hosted) await startBackends(settings)
  const environment = hosted ? sendingEnvironment(settings) : appEnvironment(settings)
  start('Next', ['node_modules/next/dist/bin/next', 'dev', '-p', String(settings.port)], environment)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await stopAll(1)
}
