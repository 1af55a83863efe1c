import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeys } from '../../../supabase/local/keys'
import { createGroup, type Group, PASSWORD, type Person } from '../../factories/group'
import { type ClusterConnection, startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import { startWorker } from '../support/worker'
import type { AppQuestion } from './app-worker'
import { KNOWN } from './csv'

/** What the import answers, and how long it took, upload included. */
interface Imported {
  total: number
  imported: number
  errors: string[]
  milliseconds: number
}

/** The app in a process of its own, with a signed-in person. */
interface App {
  import: (csv: string) => Promise<Imported>
  /** The most resident memory of the process so far, in MB. */
  peakMb: () => Promise<number>
}

/** A database with 200,000 customers of one group, and apps on demand. */
export interface Lab {
  cluster: ClusterConnection
  stack: Stack
  group: Group
  directory: string
  withApp: <T>(work: (app: App) => Promise<T>) => Promise<T>
}

/** Runs `work` in a lab and takes everything down after it. */
export async function withLab<T>(work: (lab: Lab) => Promise<T>): Promise<T> {
  const keys = await generateKeys()
  const { connection: cluster, stop } = await startCluster()
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-bench-'))
  try {
    const stack = await startPostgresStack(cluster, keys)
    try {
      const group = await createGroup(stack, 'Grupo Banco', [{ name: 'Norte', slug: 'norte' }])
      const boss = await group.person('super_admin')
      await addCustomers(stack, group)
      const withApp = <R>(inner: (app: App) => Promise<R>) => runApp(stack, group, boss, inner)
      return await work({ cluster, stack, group, directory, withApp })
    } finally {
      await stack.close()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await stop()
  }
}

async function addCustomers(stack: Stack, group: Group): Promise<void> {
  await stack.sql(
    `insert into public.customers (organization_id, location_id, email, phone, first_name, last_name, company)
     select $1, $2, 'conocido' || n || '@banco.example', '+346' || lpad(n::text, 8, '0'), 'Nombre ' || n,
       'Apellido ' || n % 5000, 'Firma ' || n % 900
     from generate_series(1, ${KNOWN}) as n`,
    [group.id, group.locations[0]?.id],
  )
  await stack.sql('vacuum analyze public.customers')
}

async function runApp<T>(
  stack: Stack,
  group: Group,
  boss: Person,
  work: (app: App) => Promise<T>,
): Promise<T> {
  const worker = startWorker<AppQuestion, number>(new URL('./app-worker.ts', import.meta.url), {
    SUPABASE_URL: stack.url,
    SUPABASE_PUBLISHABLE_KEY: stack.keys.publishableKey,
    SUPABASE_SECRET_KEY: stack.keys.secretKey,
    CRON_SECRET: stack.keys.cronSecret,
    SECRETS_KEY: stack.keys.secretsKey,
    LOG_LEVEL: 'error',
  })
  try {
    const url = `http://127.0.0.1:${await worker.ask({ ask: 'port' })}`
    const session = await fetch(`${url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: boss.email, password: PASSWORD }),
    })
    const cookie = session.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return await work({
      import: (csv) =>
        upload(stack, `${url}/api/admin/import-csv`, cookie, csv, String(group.locations[0]?.id)),
      peakMb: () => worker.ask({ ask: 'peak' }),
    })
  } finally {
    await worker.stop()
  }
}

async function upload(
  stack: Stack,
  url: string,
  cookie: string,
  csv: string,
  location: string,
): Promise<Imported> {
  await stack.sql('truncate public.rate_limits')
  const form = new FormData()
  form.append('file', new File([csv], 'clientes.csv', { type: 'text/csv' }))
  form.append('location_id', location)
  const start = performance.now()
  const response = await fetch(url, { method: 'POST', headers: { cookie }, body: form })
  const body = (await response.json()) as Omit<Imported, 'milliseconds'>
  if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
  return { ...body, milliseconds: performance.now() - start }
}
