import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syncWindow } from '@/lib/pms/sync'
import { generateKeys, type LocalKeys } from '../../../supabase/local/keys'
import { connectPms, createGroup, PMS_KEY } from '../../factories/group'
import { type ClusterConnection, startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import { startWorker, type Worker } from '../support/worker'
import type { SyncAnswer, SyncQuestion } from './app-worker'
import type { PmsQuestion } from './pms-worker'

/** What the PMS of a measurement serves: so many rows for each of its restaurants. */
interface Scenario {
  locations?: number
  rows: number
  latencyMs?: number
}

/** A fresh database with one group, and the PMS that serves it. */
interface Place {
  stack: Stack
  sync: (app: App, batchFile?: string) => Promise<SyncAnswer>
}

type App = Worker<SyncQuestion, SyncAnswer>

/** Where the measurements run: a Postgres cluster, workers on demand, a directory for files. */
export interface Lab {
  cluster: ClusterConnection
  keys: LocalKeys
  directory: string
  /** Works with the PMS of a scenario; `fresh` gives each measurement a database of its own. */
  withPms: <T>(scenario: Scenario, work: (fresh: Fresh) => Promise<T>) => Promise<T>
  /** Works with an app in a process of its own. */
  withApp: <T>(work: (app: App) => Promise<T>) => Promise<T>
}

/** Works on a fresh database with the scenario's group in it; on Postgres unless given another stack. */
export type Fresh = <T>(work: (place: Place) => Promise<T>, start?: () => Promise<Stack>) => Promise<T>

/** Runs `work` in a lab and takes everything down after it. */
export async function withLab<T>(work: (lab: Lab) => Promise<T>): Promise<T> {
  const keys = await generateKeys()
  const { connection: cluster, stop } = await startCluster()
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-bench-'))
  const lab: Lab = {
    cluster,
    keys,
    directory,
    withPms: (scenario, inner) => withPms(lab, scenario, inner),
    withApp: async (inner) => {
      const app: App = startWorker(new URL('./app-worker.ts', import.meta.url), appEnv(keys))
      return inner(app).finally(app.stop)
    },
  }
  try {
    return await work(lab)
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await stop()
  }
}

async function withPms<T>(lab: Lab, scenario: Scenario, work: (fresh: Fresh) => Promise<T>): Promise<T> {
  const { locations = 1, rows, latencyMs = 0 } = scenario
  const slugs = Array.from({ length: locations }, (_, index) => `local-${index + 1}`)
  const pms = startWorker<PmsQuestion, string>(new URL('./pms-worker.ts', import.meta.url))
  try {
    const window = syncWindow(new Date(), 'Europe/Madrid', 7, 1)
    const url = await pms.ask({ slugs, rows, latencyMs, window, apiKey: PMS_KEY })
    return await work(async (inner, start = () => startPostgresStack(lab.cluster, lab.keys)) => {
      const stack = await start()
      try {
        const group = await createGroup(
          stack,
          'Grupo Banco',
          slugs.map((slug) => ({ name: slug, slug })),
        )
        await connectPms(stack, group.id, url)
        const { secretKey } = lab.keys
        const ask = (app: App, batchFile?: string) => app.ask({ url: stack.url, secretKey, batchFile })
        return await inner({ stack, sync: ask })
      } finally {
        await stack.close()
      }
    })
  } finally {
    await pms.stop()
  }
}

function appEnv(keys: LocalKeys): Record<string, string> {
  return {
    // The worker gets its Supabase with each request; the settings only have to be complete.
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
    SUPABASE_SECRET_KEY: keys.secretKey,
    CRON_SECRET: keys.cronSecret,
    SECRETS_KEY: keys.secretsKey,
    ALLOW_LOOPBACK_UPSTREAMS: '1',
    PMS_SYNC_DAYS_BACK: '7',
    PMS_SYNC_DAYS_AHEAD: '1',
    PMS_TIMEOUT_MS: '60000',
    // The comparison of guests after a sync asks the Supabase of the settings. A sync that fails throws.
    LOG_LEVEL: 'fatal',
  }
}
