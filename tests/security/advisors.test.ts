import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '../support/postgres/server'
import { type Stack, startStack } from '../support/stack'

interface Finding {
  name: string
  level: 'INFO' | 'WARN' | 'ERROR'
  detail: string
  metadata: { name: string }
}

const CLI = new URL('../../node_modules/.bin/supabase', import.meta.url).pathname
// Functions with definer rights that people may call are how this schema works: each asks for its caller itself.
const BY_DESIGN = 'authenticated_security_definer_function_executable'
// One SELECT that the planner makes part of the statement that calls it: with a setting of its own it could not. Every
// function that calls one has its search_path, which then holds for it.
const INLINED = [
  'address_by',
  'blocked_by',
  'born_after',
  'closed_by',
  'counted_messages',
  'overtaken',
  'said_none',
  'send_windows',
  'way_of',
  'ways_to',
]

// The advisors are queries for a server of its own; the embedded database has the same schema.
describe.runIf(process.env.STACK === 'postgres')("Supabase's database advisors", () => {
  let stack: Stack
  let findings: Finding[] = []

  beforeAll(async () => {
    stack = await startStack()
    const [database] = await stack.sql<{ name: string }>('select current_database() as name')
    const name = database?.name ?? ''
    // What hosted Supabase has: the role that the CLI becomes, and the setting that says what the API shows.
    await stack.sql(`alter database ${name} set pgrst.db_schemas = 'public'`)
    const scratch = mkdtempSync(join(tmpdir(), 'sobremesa-advisors-'))
    try {
      const answer = execFileSync(
        CLI,
        // biome-ignore format: a command line
        ['db', 'advisors', '--level', 'info', '--output-format', 'json', '--agent', 'no', '--workdir', scratch,
          `--remote=${databaseUrl(inject('postgres'), name)}`],
        {
          encoding: 'utf8',
          env: { ...process.env, HOME: scratch, DO_NOT_TRACK: '1', SUPABASE_YES: '1', PGSSLMODE: 'disable' },
          stdio: 'pipe',
        },
      )
      findings = (JSON.parse(answer) as { results: Finding[] }).results
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  })
  afterAll(() => stack?.close())

  it('run, and have something to say', () => {
    expect(findings.filter(({ level }) => level === 'INFO').length).toBeGreaterThan(0)
  })

  it('warn of nothing', () => {
    const warnings = findings.filter(
      ({ level, name, metadata }) =>
        level !== 'INFO' &&
        name !== BY_DESIGN &&
        !(name === 'function_search_path_mutable' && INLINED.includes(metadata.name)),
    )
    expect(warnings.map(({ name, detail }) => `${name}: ${detail}`)).toEqual([])
  })

  it('list no function with definer rights that does not ask who calls', async () => {
    const listed = findings.filter(({ name }) => name === BY_DESIGN).map(({ metadata }) => metadata.name)
    const silent = await stack.sql<{ name: string }>(
      `select p.proname as name from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prosecdef
         and has_function_privilege('authenticated', p.oid, 'execute')
         and p.prosrc !~ 'private\\.(caller|live_user|may_use_card|my_organizations|my_locations|lock_team|run_to_decide|report_period|end_waiting)\\('`,
    )
    expect(silent).toEqual([])
    expect(listed.length === 0 || listed.includes('save_customer')).toBe(true)
  })

  it('find a function whose search_path anyone may change', async () => {
    // The lint's own condition, so that the test above cannot be empty for want of a right.
    const open = await stack.sql<{ name: string }>(
      `select p.proname as name, p.prosecdef or has_function_privilege('authenticated', p.oid, 'execute') as callable
       from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         and not exists (select from unnest(p.proconfig) as c where c like 'search_path=%') order by 1`,
    )
    expect(open).toEqual(INLINED.map((name) => ({ name, callable: false })))
  })
})
