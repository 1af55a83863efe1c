import type { Stack } from '../../support/stack'

/** A row as JSON; columns by name. */
type Row = Record<string, unknown>

/** Every row of every table of public and private; of the largest one mark for all rows. */
export interface Snapshot {
  rows: Map<string, Map<string, Row>>
  marks: Map<string, string>
  /** The columns of each table that name a row of another. */
  links: Map<string, string[]>
}

/** A row that is not as it was; null: it was, or is, not there. */
export interface Change {
  table: string
  before: Row | null
  after: Row | null
  /** The columns with another value. */
  fields: string[]
}

// Words of languages, which no operation changes: many rows.
const LARGE = ['private.name_variants', 'private.name_frequencies']

/** Reads everything that is stored, in two statements. */
export async function snapshotOf({ sql }: Pick<Stack, 'sql'>): Promise<Snapshot> {
  const tables = await sql<{ name: string; keys: string[] | null; links: string[] | null }>(`
    select format('%s.%s', n.nspname, c.relname) as name,
      (select jsonb_agg(a.attname) from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
        where k.conrelid = c.oid and k.contype = 'p') as keys,
      (select jsonb_agg(a.attname) from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
        where k.conrelid = c.oid and k.contype = 'f') as links
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') order by 1`)
  const read = await sql<{ name: string; rows: Row[] | null; mark: string | null }>(
    tables
      .map(({ name }) =>
        LARGE.includes(name)
          ? `select '${name}' as name, null::jsonb as rows, sum(hashtextextended(t::text, 0)::numeric)::text as mark from ${name} t`
          : `select '${name}' as name, coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows, null as mark from ${name} t`,
      )
      .join(' union all '),
  )
  const keys = new Map(tables.map((table) => [table.name, table.keys]))
  const keyOf = (name: string, row: Row) =>
    JSON.stringify(keys.get(name)?.map((column) => row[column]) ?? row)
  return {
    rows: new Map(
      read.map(({ name, rows }) => [name, new Map((rows ?? []).map((row) => [keyOf(name, row), row]))]),
    ),
    marks: new Map(read.flatMap(({ name, mark }) => (mark === null ? [] : [[name, mark] as const]))),
    links: new Map(tables.map(({ name, links }) => [name, links ?? []])),
  }
}

/** What changed between two snapshots, row by row. */
export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  const changes: Change[] = []
  for (const [table, now] of after.rows) {
    const was = before.rows.get(table) ?? new Map<string, Row>()
    for (const key of new Set([...was.keys(), ...now.keys()])) {
      const [old, next] = [was.get(key) ?? null, now.get(key) ?? null]
      const fields = Object.keys(next ?? old ?? {}).filter(
        (field) => JSON.stringify(old?.[field]) !== JSON.stringify(next?.[field]),
      )
      if (fields.length > 0) changes.push({ table, before: old, after: next, fields })
    }
    if (before.marks.get(table) !== after.marks.get(table))
      changes.push({ table, before: null, after: null, fields: ['*'] })
  }
  return changes
}

/**
 * Whether a row is linked to these records: one of them, one that refers to them or to such a row, a line of the audit
 * log or a notice about one; or one with an address of theirs in a column of its own. Never the other way: a location is
 * not linked to its reservations.
 */
export function linkedTo(snapshots: Snapshot[], ids: string[], addresses: string[] = []) {
  const known = new Set(ids)
  for (let size = -1; size !== known.size; ) {
    size = known.size
    for (const { rows, links } of snapshots)
      for (const [table, all] of rows)
        for (const row of all.values())
          if (
            typeof row.id === 'string' &&
            links.get(table)?.some((column) => known.has(String(row[column])))
          )
            known.add(row.id)
  }
  const own = new Set(addresses)
  return ({ table, before, after }: Change): boolean => {
    const row = before ?? after
    if (!row) return false
    const columns = snapshots[0]?.links.get(table) ?? []
    return (
      ['id', 'subject_id', 'about_id', ...columns].some((column) => known.has(String(row[column]))) ||
      Object.values(row).some((value) => typeof value === 'string' && own.has(value))
    )
  }
}

/** A change in one line, for the message of a failed test. */
export function inWords({ table, before, after, fields }: Change): string {
  if (!before && !after) return `${table}: some of its many rows`
  const shown = (row: Row) => JSON.stringify(row).slice(0, 300)
  if (!before || !after) return `${table}: ${after ? 'added' : 'removed'} ${shown(after ?? before ?? {})}`
  return `${table}: ${fields
    .map((f) => `${f} ${JSON.stringify(before[f])} → ${JSON.stringify(after[f])}`)
    .join(', ')
    .slice(0, 400)}`
}
