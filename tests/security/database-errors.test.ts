import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { csvForm } from '../support/csv-form'
import { signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client

beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'silent' })
  group = await createGroup(app.stack, 'Averías', [{ name: 'Centro', slug: 'centro' }])
  boss = await signedIn(await group.person('super_admin'))
})
afterAll(() => app?.close())

/** What a database says of itself: words of Postgres and PostgREST, names of ours, values of the row. */
const OF_THE_DATABASE =
  /relation|column|function |schema|violates|constraint|permission denied|syntax|operator|secret_sentence|customers_|loyalty_config|PGRST|fetch failed|ECONN|pg_|private\.|node_modules|\.[jt]sx?:\d/i

/** Each fails the database in another way, and says how it is taken back. */
const FAILURES: [name: string, break_: string, mend: string][] = [
  [
    'a trigger that raises',
    `create function private.raise_secret() returns trigger language plpgsql as $$
       begin raise exception 'secret_sentence of public.customers'; end $$;
     create trigger secret before insert or update on public.customers execute function private.raise_secret();
     create trigger secret before insert or update on public.loyalty_configs execute function private.raise_secret();
     create trigger secret before insert or update on public.brands execute function private.raise_secret()`,
    'drop function private.raise_secret() cascade',
  ],
  [
    'a constraint that nobody foresaw',
    `alter table public.customers add constraint customers_secret check (false) not valid;
     alter table public.loyalty_configs add constraint loyalty_config_secret check (false) not valid;
     alter table public.brands add constraint brands_secret check (false) not valid`,
    `alter table public.customers drop constraint customers_secret;
     alter table public.loyalty_configs drop constraint loyalty_config_secret;
     alter table public.brands drop constraint brands_secret`,
  ],
  [
    'a table that is gone',
    `alter table public.customers rename to customers_away; alter table public.loyalty_configs rename to configs_away;
     alter table public.brands rename to brands_away`,
    `alter table public.customers_away rename to customers; alter table public.configs_away rename to loyalty_configs;
     alter table public.brands_away rename to brands`,
  ],
]

const TIERS = { tiers: [{ name: 'Oro', min_spend: 1, points_multiplier: 1 }] }
const ASKED: [name: string, ask: () => Promise<Response>][] = [
  ['a record', () => boss.request('POST', '/api/customers', { body: { first_name: 'Ana' } })],
  ['a list', () => boss.request('GET', '/api/customers')],
  ['brands', () => boss.request('POST', '/api/brands', { body: { name: 'Una' } })],
  ['the contract’s configuration', () => boss.request('PUT', '/api/loyalty/config', { body: TIERS })],
  ['the contract’s seed', () => boss.request('GET', '/api/admin/seed-locations')],
  ['the contract’s import', () => upload()],
  ['an import in lines', () => upload({ accept: 'application/x-ndjson' })],
  ['a download', () => boss.request('GET', '/api/customers/export')],
  ['a job', () => job('/api/cron/automations')],
  ['all jobs', () => job('/api/cron/master')],
]
const upload = (headers = {}) =>
  boss.request('POST', '/api/admin/import-csv', {
    body: csvForm('email;nombre\nana@correo.example;Ana'),
    headers,
  })
const job = (path: string) =>
  app.client().request('GET', path, { headers: { authorization: `Bearer ${app.cronSecret}` } })

describe.each(FAILURES)('a database that fails by %s', (_, breaks, mend) => {
  it('is not quoted to anyone', async () => {
    await app.stack.sql('delete from public.rate_limits')
    await app.stack.sql(`do $do$ begin execute $x$${breaks}$x$; end $do$`)
    const failed: string[] = []
    const told: string[] = []
    try {
      for (const [name, ask] of ASKED) {
        const response = await ask()
        const text = await response.text().catch(() => '')
        if (response.status >= 500) failed.push(name)
        // A row that was refused is named with the rule it breaks, for the person who has to correct the file.
        const own = text.replace(/the database refused it \(\w+\)/g, '')
        if (response.status >= 400 || name.includes('import') || name.includes('job'))
          if (OF_THE_DATABASE.test(own)) told.push(`${name}: ${response.status} ${own.slice(0, 200)}`)
      }
    } finally {
      await app.stack.sql(`do $do$ begin execute $x$${mend}$x$; end $do$`)
    }
    expect(told).toEqual([])
    expect(failed.length).toBeGreaterThan(2)
  })
})
