import { DEMO_SEED } from './history'
import { answers, portIsFree, start } from './processes'
import { seedDemo } from './seed'
import { appEnvironment, type DemoSettings } from './settings'

const TSX = ['--import', 'tsx']

/** Starts the embedded stack and the PMS simulator and seeds the demo group when the stack is new. */
export async function startBackends(settings: DemoSettings): Promise<void> {
  await portIsFree(settings.supabasePort, 'SUPABASE_PORT')
  await portIsFree(settings.pmsPort, 'PMS_PORT')
  start('The database', [...TSX, 'supabase/local/serve.ts'], {
    DATA_DIR: settings.dataDir,
    SUPABASE_PORT: String(settings.supabasePort),
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
}

/** Calls the sync as a scheduler would; true when it went through. */
export async function syncOnce(settings: DemoSettings): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${settings.port}/api/sync`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${settings.cronSecret}` },
  })
  const answer = (await response.json()) as {
    synced?: number
    created?: number
    updated?: number
    error?: string
  }
  if (response.ok)
    console.log(`Sync: ${answer.synced} reservations, ${answer.created} new, ${answer.updated} changed`)
  else console.error(`Sync failed: ${answer.error}`)
  return response.ok
}
