import { type Draft, draftOf } from './draft'
import type { Change } from './dump'
import { section, unreleased } from './migrations'
import type { Source, Sources } from './sources'

/** A table's rows that sources bring, such as the permissions of roles: each as JSON. */
export type ReferenceRows = Map<string, string[]>

/** What the next migration is made from. */
export interface Release {
  number: string
  /** From the database of all migrations to that of the sources. */
  changes: Change[]
  rows: { before: ReferenceRows; after: ReferenceRows }
  migrations: Source[]
  sources: Sources
}

const HEAD = 'set check_function_bodies = off;\n'
const FOOT = 'reset check_function_bodies;\n'

/** The text of the next migration; undefined when nothing changed. */
export function nextMigration({ number, changes, rows, migrations, sources }: Release): string | undefined {
  const functions = namesOf(sources.logic)
  const draft = draftOf(changes, ({ schema, name }) =>
    functions.has(`${schema}.${name.replace(/^FUNCTION /, '').replace(/\(.*/s, '')}`),
  )
  const logic = unreleased(sources.logic, migrations)
  const state = [...draft.state, ...rowChanges(rows)]
  if (logic.length === 0 && [...draft.drops, ...state, ...draft.rules].length === 0) return undefined
  return [
    `-- Schema ${number}. Written by \`npm run db:release\`; the tables' part was read and edited by a person.\n`,
    HEAD,
    part('What went, or cannot be replaced', draft.drops),
    part(
      'Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")',
      state,
    ),
    part('Policies, comments, rights', draft.rules),
    ...logic.map(section),
    FOOT,
  ]
    .filter(Boolean)
    .join('\n')
}

const part = (title: string, statements: Draft['state']) =>
  statements.length > 0 ? `-- ${title}\n\n${statements.join('\n')}\n` : ''

/** The functions of the logic, with their schema. */
function namesOf(logic: Source[]): Set<string> {
  const names = logic.flatMap(({ text }) =>
    [...text.matchAll(/^create or replace function ([a-z_]+\.[a-z0-9_]+)\s*\(/gm)].map(
      ([, name = '']) => name,
    ),
  )
  return new Set(names)
}

function rowChanges({ before, after }: Release['rows']): string[] {
  const statements: string[] = []
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [new Set(before.get(table)), new Set(after.get(table))]
    for (const row of was)
      if (!is.has(row)) statements.push(`delete from ${table} t where to_jsonb(t) = ${literal(row)};`)
    for (const row of is)
      if (!was.has(row))
        statements.push(
          `insert into ${table} select * from jsonb_populate_record(null::${table}, ${literal(row)});`,
        )
  }
  return statements
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
