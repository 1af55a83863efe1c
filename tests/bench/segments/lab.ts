import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { SLUG, seedDemo } from '../../../scripts/demo/seed'
import { DEMO_PASSWORD } from '../../../scripts/demo/staff'
import { loadKeys } from '../../../supabase/local/keys'
import { startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import type { Named } from './definitions'

/** The demo, `DEMO_SCALE` (20) times over, and its marketing person at the database's own API. */
export interface Lab extends Named {
  stack: Stack
  organization: string
  db: SupabaseClient
}

/** Runs `work` on the demo's data on Postgres, and takes everything down after it. */
export async function withLab<T>(work: (lab: Lab) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-segments-'))
  const closers: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
  try {
    const keys = await loadKeys(dataDir)
    const { connection, stop } = await startCluster()
    closers.push(stop)
    const stack = await startPostgresStack(connection, keys)
    closers.push(stack.close)
    // Filling it is no part of what is measured, and may be slow on a machine that others share.
    await stack.sql(`alter role service_role set statement_timeout = '5min'`)
    await stack.sql(`notify pgrst, 'reload config'`)
    const port = Number(new URL(stack.url).port)
    const scale = Number(process.env.DEMO_SCALE ?? 20)
    await seedDemo({
      ...{ port, supabasePort: port, pmsPort: port, dataDir, scale, keys, timezone: TIME_ZONE },
      ...{ cronSecret: keys.cronSecret, pmsKey: 'bench' },
    })
    const [group] = await stack.sql<{ id: string }>(
      'select id::text from public.organizations where slug = $1',
      [SLUG],
    )
    const organization = group?.id ?? ''
    // Of facts the demo has few: a tenth of the guests get one or two.
    await stack.sql(
      `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
       select c.organization_id, c.id, f.code, 'allergy', 'Sala'
       from (select *, row_number() over (order by id) as n from public.customers) as c
       cross join lateral (select unnest(case when c.n % 20 = 0 then array['nuts', 'milk'] else array['gluten'] end)) as f (code)
       where c.n % 10 = 0 on conflict do nothing`,
    )
    // As hosted Supabase has it.
    await stack.sql(
      `do $$ begin execute format('alter database %I set random_page_cost = 1.1', current_database()); end $$`,
    )
    await stack.sql('vacuum analyze')
    const ids = async (table: string, order: string) =>
      (
        await stack.sql<{ id: string }>(
          `select id::text from public.${table} where organization_id = $1 order by ${order}`,
          [organization],
        )
      ).map(({ id }) => id)
    const db = createClient(stack.url, stack.keys.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    })
    const credentials = { email: 'marketing@demo.example', password: DEMO_PASSWORD }
    const { error } = await db.auth.signInWithPassword(credentials)
    if (error) throw error
    const named = { tiers: await ids('loyalty_tiers', 'rank'), locations: await ids('locations', 'name') }
    return await work({ stack, organization, db, ...named })
  } finally {
    for (const close of closers.reverse()) await close()
  }
}
