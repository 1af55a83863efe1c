import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createGroup, type Group, PASSWORD, type Person } from '../factories/group'
import { AI_KEY, connectAi } from '../support/ai-group'
import { pointAppAt } from '../support/app'
import type { Stack } from '../support/stack'

// The commands are those of docs/operate.md, run as they stand there.
const commands = readFileSync('docs/operate.md', 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => /^(pg_dump|psql) /.test(line))

describe.skipIf(process.env.STACK !== 'postgres')('a backup by docs/operate.md', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-backup-'))
  let source: Stack
  let target: Stack
  let group: Group
  let boss: Person

  beforeAll(async () => {
    const { startPostgresStack } = await import('../support/postgres/stack')
    const { databaseUrl } = await import('../support/postgres/server')
    const cluster = inject('postgres')
    source = await startPostgresStack(cluster, inject('keys'))
    target = await startPostgresStack(cluster, inject('keys'))
    group = await createGroup(source, 'Copia', [{ name: 'Centro', slug: 'centro' }])
    const other = await createGroup(source, 'Ajena', [{ name: 'Lejos', slug: 'lejos' }])
    boss = await group.person('admin')
    await other.person('admin')
    await connectAi(source, group, { base_url: 'https://ai.example/v1' })
    await source.sql(
      `insert into public.customers (organization_id, first_name, email)
       select organization_id, 'Guest ' || n, 'guest-' || n || '-' || slug || '@guests.example'
       from (select id as organization_id, slug from public.organizations) o, generate_series(1, 50) n`,
    )
    const urlOf = async (stack: Stack) => {
      const [row] = await stack.sql<{ name: string }>('select current_database()::text as name')
      return databaseUrl(cluster, row?.name ?? '')
    }
    const env = {
      ...process.env,
      PATH: `${process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin'}:${process.env.PATH}`,
      DATABASE_URL: await urlOf(source),
      NEW_DATABASE_URL: await urlOf(target),
    }
    expect(commands.map((line) => line.split(' ')[0])).toEqual(['pg_dump', 'psql'])
    for (const command of commands)
      await promisify(execFile)('bash', ['-c', command], { cwd: directory, env })
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await target?.close()
    await source?.close()
  })

  const tables = (stack: Stack) =>
    stack.sql<{ name: string; rls: boolean; policies: number }>(
      `select c.oid::regclass::text as name, c.relrowsecurity as rls,
         (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') order by 1`,
    )

  it('brings every row of every table, row-level security on as before', async () => {
    const names = await tables(source)
    expect(await tables(target)).toEqual(names)
    expect(names.filter(({ name, rls }) => !name.startsWith('private.') && !rls)).toEqual([])
    let rows = 0
    for (const { name } of [...names, { name: 'auth.users' }]) {
      const count = `select count(*)::int as count, md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as sum from ${name} r`
      const [before] = await source.sql<{ count: number }>(count)
      expect([name, (await target.sql(count))[0]]).toEqual([name, before])
      rows += before?.count ?? 0
    }
    expect(rows).toBeGreaterThan(100)
  })

  it('lets people sign in, who see their own organization and no other', async () => {
    const db = createClient(target.url, target.keys.publishableKey, { auth: { persistSession: false } })
    const { error } = await db.auth.signInWithPassword({ email: boss.email, password: PASSWORD })
    expect(error).toBeNull()
    const { data } = await db.from('organizations').select('name').throwOnError()
    expect(data).toEqual([{ name: 'Copia' }])
    const { data: secrets } = await db.from('integration_configs').select('secrets')
    expect(secrets).toBeNull()
  })

  it('opens the stored secrets with the SECRETS_KEY that was kept apart, which is not in it', async () => {
    pointAppAt(target.url, target.keys)
    const { enabledAiConfig } = await import('@/lib/integrations/providers')
    const { serviceDb } = await import('@/lib/db/service')
    expect((await enabledAiConfig(serviceDb(), group.id))?.apiKey).toBe(AI_KEY)
    const dump = readFileSync(join(directory, 'backup.sql'), 'utf8')
    expect(dump).toContain(group.id)
    for (const secret of [AI_KEY, target.keys.secretsKey, PASSWORD]) expect(dump).not.toContain(secret)
  })

  it('goes on from where it was: new rows take no number twice', async () => {
    await createGroup(target, 'Después', [{ name: 'Nuevo', slug: 'nuevo' }])
    expect(await target.sql('select 1 from public.organizations')).toHaveLength(3)
  })
})

it('docs/operate.md has both commands', () => {
  expect(commands).toHaveLength(2)
})
