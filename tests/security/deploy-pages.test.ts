import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { CHOSEN } from '../factories/group'
import { AI_KEY, connectAi } from '../support/ai-group'
import { pointAppAt, testClient } from '../support/app'
import { type Fence, fencesOf, fill, variablesOf } from '../support/hosted/fences'
import { openShell, type Shell } from '../support/hosted/shell'
import type { PostgresStack } from '../support/postgres/stack'

// Every block of code in the two pages is taken from there and run as it stands: the Supabase CLI against a database of a
// role without superuser rights and a stand-in of the management API, SQL as the editor runs it, over the app's handlers.
const PAGES = ['docs/deploy.md', 'docs/operate.md']
const blocks = PAGES.flatMap(fencesOf)

/** Blocks that no test runs, by the heading above them, with the reason. */
const NOT_RUN: Record<string, string> = {
  '1. The code': 'fetches the repository and its packages: the test is in a folder that has them',
  '9. The check': 'tests of its own',
  'Large files of customers': 'uploads to Vercel',
}
const taken = new Set<Fence>()

/** The blocks under a heading, which count as tried. */
function blocksUnder(heading: string): Fence[] {
  const found = blocks.filter((block) => block.heading === heading)
  for (const block of found) taken.add(block)
  return found
}

const isPostgres = process.env.STACK === 'postgres'
const bin17 = isPostgres ? (await import('../support/postgres/postgres-17')).postgres17() : undefined
// New projects are 17, which no other test of the usual run knows; PAGES=all, as every night, takes both.
const usual = bin17 ? [17] : [15]
const VERSIONS = isPostgres ? (process.env.PAGES === 'all' ? [15, ...(bin17 ? [17] : [])] : usual) : []

for (const major of VERSIONS)
  describe(`the pages on Postgres ${major}`, { shuffle: false, timeout: 180_000 }, () => {
    const closers: (() => unknown)[] = []
    const values: Record<string, string> = {}
    let place: Awaited<ReturnType<typeof startPlace>>
    let shell: Shell
    let stack: PostgresStack

    beforeAll(async () => {
      place = await startPlace(major, (close) => closers.unshift(close))
      values.reference = place.project.ref
      values['session pooler'] = place.project.databaseUrl
      values['your app'] = place.site.host
      values['publishable key'] = place.keys.publishableKey
      values['secret key'] = place.keys.secretKey
      const trust = { CURL_CA_BUNDLE: place.site.certificate }
      shell = openShell({ ...place.project.env, ...trust }, place.programs)
      closers.unshift(shell.close)
    })
    afterAll(async () => {
      for (const close of closers) await close()
    })

    /** Runs SQL as the editor does: as the owner, all of it at once. @returns the last answer's rows. */
    async function inEditor<Row = Record<string, unknown>>(
      sql: string,
      database = place.database,
    ): Promise<Row[]> {
      const { clientConfig } = await import('../support/postgres/server')
      const client = new Client(clientConfig(place.address, database, 'postgres'))
      await client.connect()
      try {
        return [(await client.query(sql)) as unknown as { rows: Row[] }].flat().at(-1)?.rows ?? []
      } finally {
        await client.end()
      }
    }

    it('make the database and set the project', async () => {
      const [login, push, config, diff, ...more] = blocksUnder('2. The database').map(({ code }) =>
        fill(code, values),
      )
      expect(more).toEqual([])
      expect(await shell.run(login ?? '')).toContain('You are now logged in')
      const pushed = await shell.run(push ?? '')
      expect(pushed).toContain('Finished supabase db push.')
      expect(await inEditor('select rolsuper from pg_roles where rolname = current_user')).toEqual([
        { rolsuper: false },
      ])
      expect(await inEditor("select current_setting('server_version_num')::int / 10000 as major")).toEqual([
        { major },
      ])
      const set = await shell.run(config ?? '')
      // The switch that only the dashboard has.
      place.project.settings.auth.security_sb_forwarded_for_enabled = true
      const left = await shell.run(diff ?? '')
      expect(left).not.toContain('[update]')
      expect(left).toContain('auth.site_url [remote-only]')
      expect(place.project.settings.api.db_schema).toBe('public')
      expect(place.project.settings.auth).toMatchObject({ disable_signup: true, password_min_length: 10 })
      for (const printed of [pushed, set, left]) expect(printed).not.toMatch(/warn|deprecated|⚠|▲/i)
    })

    it('push again what there is not yet, and undo no switch of the dashboard', async () => {
      place.project.settings.auth.site_url = 'https://crm.example'
      const [update, ...more] = blocksUnder('A new version')
      expect(more).toEqual([])
      expect(await shell.run(fill(update?.code ?? '', values))).toContain('Remote database is up to date.')
      expect(place.project.settings.auth).toMatchObject({
        site_url: 'https://crm.example',
        security_sb_forwarded_for_enabled: true,
        disable_signup: true,
      })
    })

    it('make secrets and variables that the app takes', async () => {
      const [make, variables, ...more] = blocksUnder('3. The keys')
      expect(more).toEqual([])
      Object.assign(values, variablesOf((await shell.run(make?.code ?? '')).trim()))
      const [pair, ...others] = blocksUnder('8. Push notices (optional)')
      expect(others).toEqual([])
      const vapid = /Public Key:\s+(\S+)\s+Private Key:\s+(\S+)/.exec(await shell.run(pair?.code ?? ''))
      const written = {
        ...variablesOf(fill(variables?.code ?? '', values)),
        ...{ VAPID_PUBLIC_KEY: vapid?.[1] ?? '', VAPID_PRIVATE_KEY: vapid?.[2] ?? '' },
      }
      const before = { ...process.env }
      for (const name of Object.keys(process.env))
        if (/^(SUPABASE|SECRETS|APP)_/.test(name)) delete process.env[name]
      Object.assign(process.env, written)
      vi.resetModules()
      const { env } = await import('@/lib/env')
      expect(env()).toMatchObject(written)
      for (const name of Object.keys(written)) delete process.env[name]
      Object.assign(process.env, before)
      vi.resetModules()
    })

    it('bring up an app that is healthy, whose first group is made by the token', async () => {
      stack = await place.serve(place.database)
      pointAppAt(
        stack.url,
        { ...place.keys, cronSecret: values.CRON_SECRET ?? '', secretsKey: values.SECRETS_KEY ?? '' },
        {
          SETUP_TOKEN: values.SETUP_TOKEN ?? '',
        },
      )
      vi.resetModules()
      const [health, ...more] = blocksUnder('4. The app')
      expect(more).toEqual([])
      expect(await shell.run(fill(health?.code ?? '', values))).toContain('"healthy"')
      const person = {
        group_name: 'Grupo Página',
        timezone: 'Europe/Madrid',
        full_name: 'Lola',
        email: 'lola@group.example',
      }
      const body = { ...person, token: values.SETUP_TOKEN, password: CHOSEN }
      expect((await testClient().request('POST', '/api/setup', { body })).status).toBe(201)
      const [group] = await stack.sql<{ id: string; slug: string }>(
        'select id, slug from public.organizations',
      )
      values.slug = group?.slug ?? ''
      const keys = { ...stack.keys, secretsKey: values.SECRETS_KEY ?? '' }
      await connectAi({ ...stack, keys }, { id: group?.id ?? '' }, { base_url: 'https://ai.example/v1' })
      await stack.sql(
        `insert into public.customers (organization_id, first_name, email)
       select $1, 'Guest ' || n, 'guest-' || n || '@guests.example' from generate_series(1, 50) n`,
        [group?.id],
      )
    })

    it('call the jobs, from Supabase and from a crontab', async () => {
      const [sql, crontab, ...more] = blocksUnder('5. The schedule').map(({ code }) => fill(code, values))
      expect(more).toEqual([])
      await inEditor(sql ?? '')
      const [job] = await inEditor<{ schedule: string; command: string }>(
        'select schedule, command from cron.job',
      )
      expect(job?.schedule).toBe('*/15 * * * *')
      await inEditor(job?.command ?? '')
      const [asked] = await inEditor<{
        url: string
        headers: { Authorization: string }
        timeout_milliseconds: number
      }>('select url, headers, timeout_milliseconds from net.asked')
      expect(asked?.timeout_milliseconds).toBe(300_000)
      const { pathname, host } = new URL(asked?.url ?? '')
      expect(host).toBe(place.site.host)
      const answer = await testClient().request('GET', pathname, {
        headers: { authorization: asked?.headers.Authorization ?? '' },
      })
      expect(answer.status).toBe(200)
      const [, variable, schedule, command] = /^(.+)\n(\S+ \S+ \S+ \S+ \S+) (.+)$/.exec(crontab ?? '') ?? []
      expect(schedule).toBe('*/15 * * * *')
      await shell.run(`export ${variable}`)
      expect(await shell.run(command ?? '')).toContain('"success":true')
    })

    it('change CRON_SECRET', async () => {
      const [change, ...more] = blocksUnder('A new CRON_SECRET, or new keys of Supabase')
      expect(more).toEqual([])
      await inEditor(fill(change?.code ?? '', { CRON_SECRET: 'the new one' }))
      const kept = `select decrypted_secret as secret from vault.decrypted_secrets where name = 'sobremesa_cron'`
      expect(await inEditor(kept)).toEqual([{ secret: 'the new one' }])
    })

    it('let in who is locked out', async () => {
      const [sql, ...more] = blocksUnder('When something does not work')
      expect(more).toEqual([])
      const [row] = await inEditor<{ invite_by_hand: string }>(fill(sql?.code ?? '', values))
      expect(row?.invite_by_hand).toMatch(/^\/sign-up#token=/)
    })

    it('change SECRETS_KEY', async () => {
      const [make, file, rotate, ...more] = blocksUnder('A new SECRETS_KEY')
      expect(more).toEqual([])
      const made = (await shell.run(make?.code ?? '')).trim()
      const filled = fill(file?.code ?? '', {
        ...values,
        'new key': made,
        'old key': values.SECRETS_KEY ?? '',
      })
      // Supabase's address is not the stack's.
      const local = filled.replace(`https://${values.reference}.supabase.co`, stack.url)
      expect(local).not.toBe(filled)
      writeFileSync(join(shell.directory, '.env.local'), local)
      expect(await shell.run(rotate?.code ?? '')).toContain(
        '1 secrets sealed with the new key; 0 had it already.',
      )
      values.SECRETS_KEY = made
    })

    it('bring everything back from a backup', async () => {
      const [backup, restore, off, role, ...more] = blocksUnder('Backup and restore')
      expect(more).toEqual([])
      await shell.run(fill(backup?.code ?? '', values))
      const dump = readFileSync(join(shell.directory, 'backup.sql'), 'utf8')
      for (const secret of [AI_KEY, values.SECRETS_KEY ?? '', CHOSEN]) expect(dump).not.toContain(secret)
      const later = openShell(place.newProject.env, place.programs)
      closers.unshift(later.close)
      writeFileSync(join(later.directory, 'backup.sql'), dump)
      const news = {
        'reference of the new project': place.newProject.ref,
        'session pooler of the new project': place.newProject.databaseUrl,
      }
      await later.run(fill(restore?.code ?? '', news))
      const restored = await place.serve(place.newDatabase)
      await expectSameRows(stack, restored)
      const db = createClient(restored.url, place.keys.publishableKey, { auth: { persistSession: false } })
      const { error } = await db.auth.signInWithPassword({ email: 'lola@group.example', password: CHOSEN })
      expect(error).toBeNull()
      const { data } = await db.from('organizations').select('name').throwOnError()
      expect(data).toEqual([{ name: 'Grupo Página' }])
      expect((await db.from('integration_configs').select('secrets')).data).toBeNull()
      pointAppAt(restored.url, { ...place.keys, secretsKey: values.SECRETS_KEY ?? '' })
      vi.resetModules()
      const { enabledAiConfig } = await import('@/lib/integrations/services/ai')
      const { serviceDb } = await import('@/lib/db/service')
      const [group] = await restored.sql<{ id: string }>('select id from public.organizations')
      expect((await enabledAiConfig(serviceDb(), group?.id ?? ''))?.apiKey).toBe(AI_KEY)
      await inEditor(off?.code ?? '', place.newDatabase)
      expect(await restored.sql(`select from public.automations where status <> 'inactive'`)).toEqual([])
      await inEditor(role?.code ?? '', place.newDatabase)
      const [api] = await restored.sql<{ set: string[] }>(
        `select rolconfig as set from pg_roles where rolname = 'authenticator'`,
      )
      expect(api?.set).toContain('pgrst.db_pre_request=private.refuse_estimates')
      // Life goes on: another group is written, whom she does not see, and no row gets a number that was given.
      await restored.sql(`insert into public.organizations (name, slug) values ('Otro grupo', 'otro')`)
      expect((await db.from('organizations').select('name').throwOnError()).data).toEqual(data)
      expect(await numbersGivenAgain(restored)).toEqual([])
    })
  })

/** The numbered columns whose next number is in the table already. */
async function numbersGivenAgain({ sql }: Pick<PostgresStack, 'sql'>): Promise<string[]> {
  const columns = await sql<{ of: string; name: string; next: string }>(
    `select format('%I.%I', c.table_schema, c.table_name) as of, c.column_name as name,
       nextval(pg_get_serial_sequence(format('%I.%I', c.table_schema, c.table_name), c.column_name)) as next
     from information_schema.columns c where c.is_identity = 'YES' and c.table_schema in ('public', 'private')`,
  )
  expect(columns.length).toBeGreaterThan(1)
  const given: string[] = []
  for (const { of, name, next } of columns)
    if ((await sql(`select from ${of} where ${name} >= $1`, [next])).length > 0) given.push(`${of}.${name}`)
  return given
}

it.runIf(isPostgres)('each block of code is run, or says why not', () => {
  const untried = blocks.filter((block) => !taken.has(block) && !NOT_RUN[block.heading])
  expect(untried).toEqual([])
  expect(
    Object.keys(NOT_RUN).filter((heading) => !blocks.some((block) => block.heading === heading)),
  ).toEqual([])
})

it('each command in a sentence, and each that is not run here, is one of ours or of a package', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  // Fetched when it is called.
  const fetched = new Set(['vercel'])
  const commands = PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\b(npm run|npm|npx) ([a-z][\w:-]*)/g)].map(
      ([whole, tool, name = '']) => {
        const isKnown =
          tool === 'npm run'
            ? name in scripts
            : tool === 'npm'
              ? ['ci', 'test', 'run'].includes(name)
              : fetched.has(name) || existsSync(join('node_modules/.bin', name))
        return [whole, isKnown] as const
      },
    ),
  )
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter(([, isKnown]) => !isKnown)).toEqual([])
})

const AUTH_TABLES = ['auth.users', 'auth.identities', 'auth.mfa_factors']

/** Every row of every table came along, with row-level security as before. */
async function expectSameRows(source: PostgresStack, target: PostgresStack): Promise<void> {
  const tables = (stack: PostgresStack) =>
    stack.sql<{ name: string; rls: boolean; policies: number }>(
      `select c.oid::regclass::text as name, c.relrowsecurity as rls,
         (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') order by 1`,
    )
  const names = await tables(source)
  expect(await tables(target)).toEqual(names)
  expect(names.filter(({ rls }) => !rls)).toEqual([])
  let rows = 0
  for (const name of [...names.map((table) => table.name), ...AUTH_TABLES]) {
    const sum = `select count(*)::int as count, md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as sum from ${name} r`
    const [before] = await source.sql<{ count: number }>(sum)
    expect([name, (await target.sql(sum))[0]]).toEqual([name, before])
    rows += before?.count ?? 0
  }
  expect(rows).toBeGreaterThan(100)
}

/** A server with two new projects, and the app's site; each thing is given to `onClose` as it comes up. */
async function startPlace(major: number, onClose: (close: () => unknown) => void) {
  const { startServer, clientConfig, postgresBinaries } = await import('../support/postgres/server')
  const { createHostedDatabase, createRoles } = await import('../support/postgres/template')
  const { serveDatabase } = await import('../support/postgres/stack')
  const { startHostedProject } = await import('../support/hosted/project')
  const { startSite } = await import('../support/hosted/site')
  const cluster = inject('postgres')
  const keys = inject('keys')
  const programs = major === 17 ? (bin17 ?? '') : postgresBinaries()
  let address: typeof cluster = cluster
  if (major === 17) {
    const server = await startServer(undefined, programs)
    onClose(server.stop)
    await createRoles(server.address)
    address = { ...cluster, ...server.address }
  }
  const asAdmin = async (database: string, sql: string) => {
    const client = new Client(clientConfig(address, database))
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const unique = randomBytes(4).toString('hex')
  const names = [`page_${unique}`, `page_${unique}_new`] as const
  for (const name of names) {
    await createHostedDatabase(address, cluster.authBinary, name)
    if (major !== 17) onClose(() => asAdmin('postgres', `drop database if exists ${name} with (force)`))
    await asAdmin(name, readFileSync('tests/support/hosted/extensions.sql', 'utf8'))
  }
  const project = await startHostedProject(address, names[0], major)
  onClose(project.close)
  const newProject = await startHostedProject(address, names[1], major)
  onClose(newProject.close)
  const site = await startSite()
  onClose(site.close)
  return {
    ...{ address, keys, programs, project, newProject, site },
    database: names[0],
    newDatabase: names[1],
    serve: async (database: string) => {
      const stack = await serveDatabase(address, database, keys)
      onClose(stack.close)
      return stack
    },
  }
}
