// `npm run demo`: the whole product on this machine, no account anywhere. Ctrl-C stops all of it.
import { runJobsOnce, startBackends } from './local-run'
import { answers, portIsFree, run, start, stopAll } from './processes'
import { appEnvironment, readSettings } from './settings'
import { DEMO_PASSWORD, DEMO_STAFF } from './staff'

const NEXT = 'node_modules/next/dist/bin/next'
// Longer than clients keep a connection: one that the server closes first may take a request with it.
const KEEP_ALIVE_MS = '120000'
const JOBS_EVERY_MS = 15 * 60_000

process.once('SIGINT', () => void stopAll(0))
process.once('SIGTERM', () => void stopAll(0))

try {
  const settings = await readSettings()
  const environment = appEnvironment(settings)
  const address = `http://localhost:${settings.port}`
  await portIsFree(settings.port, 'PORT')
  const built = process.env.APP_BUILT === '1' ? undefined : run('The build', [NEXT, 'build'], environment)
  await Promise.all([startBackends(settings), built])
  const place = ['-H', '127.0.0.1', '-p', String(settings.port), '--keepAliveTimeout', KEEP_ALIVE_MS]
  start('The app', [NEXT, 'start', ...place], environment)
  await answers(`http://127.0.0.1:${settings.port}/api/health`)
  if (!(await runJobsOnce(settings))) throw new Error('The first sync failed')
  // Browser tests run jobs themselves: one more in between would take part in what they count.
  if (process.env.DEMO_JOBS !== 'once')
    setInterval(
      () => runJobsOnce(settings).catch((error: Error) => console.error(error.message)),
      JOBS_EVERY_MS,
    )
  const people = DEMO_STAFF.map(({ email, role }) => `  ${email.padEnd(26)} ${role}`).join('\n')
  console.log(`\nSign in with the password ${DEMO_PASSWORD} as\n${people}`)
  console.log(`Cron secret: ${settings.cronSecret}`)
  console.log(`\nReady on ${address}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await stopAll(1)
}
