/** A change that breaks the schema's rights. */
export interface Mutation {
  name: string
  /** The test file that must notice, from tests/sql. */
  file: string
  /** PL/pgSQL statements, with a semicolon between two of them. */
  sql: string
  /** Parts of test names: a failing test is needed for each. Without any, one failing test will do. */
  noticedBy?: string[]
}

/** What the tests on the schema as it is are called in rls-mutations.ts; the others by the number of their mutation. */
export const UNBROKEN = 'unbroken'

/** Replaces a part of a function's text, wherever its lines break; fails when the part is not there. */
export function editFunction(signature: string, part: string, replacement: string): string {
  const pattern = part
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\\[([]|\s+/g, (found) => (/^\s/.test(found) ? '\\s+' : `${found}\\s*`))
  const plain = replacement.replace(/[\\&]/g, '\\$&')
  return `
    if pg_get_functiondef('${signature}'::regprocedure) !~ $part$${pattern}$part$ then
      raise exception 'no such part in ${signature}';
    end if;
    execute regexp_replace(pg_get_functiondef('${signature}'::regprocedure),
      $part$${pattern}$part$, $part$${plain}$part$, 'g')`
}

/** The policy of the table now says `using`; a table has one for reading. */
export function editPolicy(table: string, using: string): string {
  return `
    execute format('alter policy %I on public.${table} using (%s)', (
      select policyname from pg_policies where schemaname = 'public' and tablename = '${table}'
    ), $using$${using}$using$)`
}
