import { DEMO_SEED } from './history'
import { answers, portIsFree, start } from './processes'
import { seedDemo } from './seed'
import { appEnvironment, type DemoSettings } from './settings'
import { seedTonight } from './tonight'

const TSX = ['--import', 'tsx']
// Browser tests have Postgres, PostgREST and Auth themselves: STACK=postgres, as in the other tests.
const SUPABASE =
  process.env.STACK === 'postgres' ? 'tests/support/postgres/serve.ts' : 'supabase/local/serve.ts'

/**
 * Starts the embedded stack and the PMS simulator and seeds the demo group when the stack is new; tonight's service
 * every time.
 */
export async function startBackends(settings: DemoSettings): Promise<void> {
  await portIsFree(settings.supabasePort, 'SUPABASE_PORT')
  await portIsFree(settings.pmsPort, 'PMS_PORT')
  start('The database', [...TSX, SUPABASE], {
    DATA_DIR: settings.dataDir,
    SUPABASE_PORT: String(settings.supabasePort),
    SITE_URL: `http://localhost:${settings.port}`,
    DO_NOT_TRACK: '1',
  })
  start('The PMS simulator', [...TSX, 'tests/fakes/pms/serve.ts'], {
    PMS_PORT: String(settings.pmsPort),
    PMS_API_KEY: settings.pmsKey,
    PMS_SEED: DEMO_SEED,
    PMS_SCALE: String(settings.scale),
  })
  await answers(`${appEnvironment(settings).SUPABASE_URL}/rest/v1/`)
  await answers(`http://127.0.0.1:${settings.pmsPort}/`)
  await seedDemo(settings)
  await seedTonight(settings)
}

interface MasterAnswer {
  error?: string
  results?: {
    endpoint: string
    error?: string
    data?: { summary?: { result: { status: string; reservations: number } }[] }
  }[]
}

const NOTHING_TO_SEND = 'No notifications to send'

/** Runs every job like a scheduler; true when the sync succeeded. */
export async function runJobsOnce(settings: DemoSettings): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${settings.port}/api/cron/master`, {
    headers: { Authorization: `Bearer ${settings.cronSecret}` },
  })
  const { results = [], error } = (await response.json()) as MasterAnswer
  if (error) console.error(`The jobs failed: ${error}`)
  for (const result of results) {
    const name = result.endpoint.replace('/api/cron/', '')
    if (result.error && result.error !== NOTHING_TO_SEND) console.error(`${name} failed: ${result.error}`)
  }
  const locations = results.find(({ endpoint }) => endpoint === '/api/cron/sync')?.data?.summary ?? []
  const reservations = locations.reduce((sum, { result }) => sum + result.reservations, 0)
  console.log(`Sync: ${reservations} reservations of ${locations.length} locations`)
  return locations.length > 0 && locations.every(({ result }) => result.status === 'success')
}
