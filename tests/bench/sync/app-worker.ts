// The app's side: syncs in a process of its own, with the code that POST /api/sync runs.
import { writeFileSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import type { Database } from '@/lib/db/database.types'
import { runSync } from '@/lib/pms/sync'
import { answerQuestions } from '../support/worker'

/** Sync into the Supabase at `url`; the batches it sends go to `batchFile` too, when given, as SQL. */
export interface SyncQuestion {
  url: string
  secretKey: string
  batchFile?: string
  /** Each statement names its location; otherwise it is for the only one of whatever database it runs in. */
  keepLocations?: boolean
}

export interface SyncAnswer {
  milliseconds: number
  /** Reservations received and created. */
  received: number
  created: number
  /** The most resident memory of the process' life, in MB. */
  peakMb: number
}

answerQuestions(async ({ url, secretKey, batchFile, keepLocations }: SyncQuestion): Promise<SyncAnswer> => {
  const statements: string[] = []
  const db = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: batchFile ? { fetch: keepingBatches(statements, keepLocations) } : {},
  })
  const start = performance.now()
  const { skipped, locations } = await runSync({
    reader: 'schedule',
    db,
    signal: AbortSignal.timeout(600_000),
  })
  const milliseconds = performance.now() - start
  const issue = locations.flatMap((location) => location.issues)[0]
  if (skipped || issue) throw new Error(`The sync failed: ${issue?.detail ?? 'skipped'}`)
  if (batchFile) writeFileSync(batchFile, statements.join(''))
  const total = (field: 'count' | 'created') => locations.reduce((sum, location) => sum + location[field], 0)
  const peakMb = process.resourceUsage().maxRSS / 1024
  return { milliseconds, received: total('count'), created: total('created'), peakMb }
})

/** A fetch that also notes each call of `sync_reservations` as a statement. */
function keepingBatches(statements: string[], keepLocations = false): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.endsWith('/rpc/sync_reservations')) {
      const { p_rows, p_location } = JSON.parse(String(init?.body)) as {
        p_rows: unknown[]
        p_location: string
      }
      const location = keepLocations ? `'${p_location}'` : '(select id from public.locations)'
      const rows = `$rows$${JSON.stringify(p_rows)}$rows$`
      statements.push(`select public.sync_reservations(${location}, ${rows});\n`)
    }
    return fetch(input, init)
  }
}
