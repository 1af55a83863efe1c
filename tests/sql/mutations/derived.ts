import { accountFunctions } from '../cases/account'
import { assistantFunctions, assistantTables } from '../cases/assistant'
import { calendarFunctions, calendarTables } from '../cases/calendar'
import { campaignFunctions, campaignTables } from '../cases/campaigns'
import { changeFunctions, changeTables } from '../cases/changes'
import { conversationFunctions, conversationTables } from '../cases/conversations'
import { deliveryFunctions, deliveryTables } from '../cases/delivery'
import { emailDesignFunctions, emailDesignTables } from '../cases/email-designs'
import { feedbackFunctions, feedbackTables } from '../cases/feedback'
import { guestFunctions, guestTables } from '../cases/guests'
import { importFunctions, importTables } from '../cases/imports'
import { integrationTables, jobFunctions } from '../cases/integrations'
import { loyaltyFunctions, loyaltyTables } from '../cases/loyalty'
import { messagingFunctions, messagingTables } from '../cases/messaging'
import { noticeFunctions } from '../cases/notices'
import { organizationFunctions, organizationTables } from '../cases/organization'
import { pushFunctions, pushTables } from '../cases/push'
import { segmentFunctions, segmentTables } from '../cases/segments'
import { serviceFunctions, serviceTables } from '../cases/service'
import { setupFunctions, setupTables } from '../cases/setup'
import type { Mutation } from './mutation'

/** Raw SQL on a migrated database. */
export type Query = <Row>(query: string) => Promise<Row[]>

const DOMAINS = [
  { file: 'rls-organization', tables: organizationTables, functions: organizationFunctions },
  { file: 'rls-loyalty', tables: loyaltyTables, functions: loyaltyFunctions },
  { file: 'rls-customers', tables: guestTables, functions: guestFunctions },
  { file: 'rls-changes', tables: changeTables, functions: changeFunctions },
  { file: 'rls-integrations', tables: integrationTables, functions: jobFunctions },
  { file: 'rls-messaging', tables: messagingTables, functions: messagingFunctions },
  { file: 'rls-assistant', tables: assistantTables, functions: assistantFunctions },
  { file: 'rls-calendar', tables: calendarTables, functions: calendarFunctions },
  { file: 'rls-imports', tables: importTables, functions: importFunctions },
  { file: 'rls-delivery', tables: deliveryTables, functions: deliveryFunctions },
  { file: 'rls-campaigns', tables: campaignTables, functions: campaignFunctions },
  { file: 'rls-segments', tables: segmentTables, functions: segmentFunctions },
  { file: 'rls-email-designs', tables: emailDesignTables, functions: emailDesignFunctions },
  { file: 'rls-conversations', tables: conversationTables, functions: conversationFunctions },
  { file: 'rls-feedback', tables: feedbackTables, functions: feedbackFunctions },
  { file: 'rls-service', tables: serviceTables, functions: serviceFunctions },
  { file: 'rls-push', tables: pushTables, functions: pushFunctions },
  { file: 'rls-setup', tables: setupTables, functions: setupFunctions },
  { file: 'rls-account', tables: {}, functions: accountFunctions },
  { file: 'rls-notices', tables: {}, functions: noticeFunctions },
].map(({ file, tables, functions }) => ({
  file: `${file}.test.ts`,
  tables: Object.keys(tables),
  functions: Object.keys(functions),
}))

const READ = 'shows everyone exactly their rows'
const WRITES = [
  'refuses inserts',
  'lets no one PATCH',
  'lets no one DELETE',
  'lets no one change a single column',
]

/** What follows from the schema itself: every policy, and every grant of public. */
export async function derivedMutations(query: Query): Promise<Mutation[]> {
  const policies = await query<{ table: string; policy: string }>(
    `select tablename as table, quote_ident(policyname) as policy from pg_policies where schemaname = 'public'`,
  )
  const functions = await query<{ name: string; signature: string; granted: boolean }>(
    `select proname as name, oid::regprocedure::text as signature,
       has_function_privilege('authenticated', oid, 'execute') as granted
     from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  const readable = new Set(policies.map(({ table }) => table))
  return [
    ...policies.flatMap(({ table, policy }) => ofPolicy(table, policy)),
    ...DOMAINS.flatMap(({ file, tables }) =>
      tables.flatMap((table) => ofTable(file, table, readable.has(table))),
    ),
    ...DOMAINS.filter(({ tables }) => tables.length > 0).flatMap(({ file, tables }) => [
      ...unreadable(
        file,
        tables.filter((table) => readable.has(table)),
      ),
      undeletable(file, tables),
    ]),
    ...DOMAINS.flatMap(({ file, ...domain }) =>
      ofFunctions(
        file,
        functions.filter(({ name }) => domain.functions.includes(name)),
      ),
    ),
  ]
}

function ofPolicy(table: string, policy: string): Mutation[] {
  const file = DOMAINS.find(({ tables }) => tables.includes(table))?.file
  if (!file) throw new Error(`No expectations for ${table}`)
  const noticedBy = [`${table} > ${READ}`]
  return [
    {
      name: `${table}: policy ${policy} says true`,
      file,
      noticedBy,
      sql: `alter policy ${policy} on public.${table} using (true)`,
    },
    {
      name: `${table}: policy ${policy} dropped`,
      file,
      noticedBy,
      sql: `drop policy ${policy} on public.${table}`,
    },
  ]
}

/** Their triggers refuse a write of a person for reasons of their own, also where a grant lets it pass. */
const GUARDED_BY_TRIGGERS = ['audit_log', 'customers', 'integration_configs']
/** Generated columns, defaults and indexes call them: without these rights nothing could be written either. */
const CALLED_BY_COLUMNS =
  'private.fold(text), private.consent_basis(jsonb, integer, text), private.new_id(timestamptz)'

function ofTable(file: string, table: string, readable: boolean): Mutation[] {
  const open = (verbs: string[], role: string) =>
    verbs
      .map((verb) => {
        const rows = verb === 'insert' ? 'with check (true)' : 'using (true)'
        return `grant ${verb} on public.${table} to ${role};
          create policy "mutant ${verb}" on public.${table} for ${verb} to ${role} ${rows}`
      })
      .join(';')
  const triggers = GUARDED_BY_TRIGGERS.includes(table)
    ? `alter table public.${table} disable trigger user;`
    : ''
  const unguard = `${triggers} grant execute on function ${CALLED_BY_COLUMNS} to authenticated, anon;`
  const tests = (names: string[]) => names.map((name) => `${table} > ${name}`)
  const unread: Mutation = {
    name: `${table}: authenticated may read it all`,
    file,
    noticedBy: tests([READ]),
    sql: open(['select'], 'authenticated'),
  }
  return [
    ...(readable ? [] : [unread]),
    {
      name: `${table}: authenticated may insert, update, delete`,
      file,
      noticedBy: tests(WRITES),
      // Without reading, an update or delete finds no row.
      sql: unguard + open([...(readable ? [] : ['select']), 'insert', 'update', 'delete'], 'authenticated'),
    },
    {
      name: `${table}: anon may do everything`,
      file,
      noticedBy: tests([READ, ...WRITES]),
      sql: unguard + open(['select', 'insert', 'update', 'delete'], 'anon'),
    },
  ]
}

function unreadable(file: string, tables: string[]): Mutation[] {
  if (tables.length === 0) return []
  return [
    {
      name: `${tables.join(', ')}: authenticated may not select`,
      file,
      noticedBy: tables.map((table) => `${table} > ${READ}`),
      sql: `revoke select on ${tables.map((table) => `public.${table}`).join(', ')} from authenticated`,
    },
  ]
}

function undeletable(file: string, all: string[]): Mutation {
  // The service deletes a profile, and a trigger a channel's pace, to arrange these files: nothing would run without.
  // The log refuses to delete a row, whatever the right.
  const tables = all.filter((table) => !['profiles', 'channel_pace', 'audit_log'].includes(table))
  return {
    name: `${tables.join(', ')}: the service may not delete`,
    file,
    noticedBy: tables.map((table) => `${table} > lets the service insert, change and delete`),
    sql: `revoke delete on ${tables.map((table) => `public.${table}`).join(', ')} from service_role`,
  }
}

function ofFunctions(file: string, functions: { name: string; signature: string; granted: boolean }[]) {
  const mutation = (name: string, sql: string, changed: typeof functions): Mutation[] =>
    changed.length === 0
      ? []
      : [
          {
            name: `${changed.map((each) => each.name).join(', ')}: ${name}`,
            file,
            noticedBy: changed.map((each) => `${each.name} answers everyone`),
            sql: changed.map((each) => sql.replace('$1', each.signature)).join(';'),
          },
        ]
  return [
    ...mutation('anon may execute', 'grant execute on function $1 to anon', functions),
    ...mutation(
      'authenticated may execute',
      'grant execute on function $1 to authenticated',
      functions.filter(({ granted }) => !granted),
    ),
    ...mutation(
      'authenticated may not execute',
      'revoke execute on function $1 from authenticated',
      functions.filter(({ granted }) => granted),
    ),
  ]
}
