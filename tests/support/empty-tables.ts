// Figures kept of a table's rows, which its trigger empties on a truncation: [figures, table].
const KEPT = [
  ['private.customer_counts', 'public.customers'],
  ['private.daily_figures', 'public.reservations'],
] as const

/**
 * The SQL that takes all rows out of tables, and out of those that refer to them: what `truncate … cascade` does. That
 * makes new files for every table and index and takes up to a second; deleting a test's few rows takes milliseconds.
 * @param tables names of `public`, or with their schema: `'customers', 'private.service_taps'`
 */
export function emptyTables(...tables: string[]): string {
  const names = tables.map((table) => `'${table.includes('.') ? table : `public.${table}`}'::regclass`)
  return `do $empty$
    declare emptied regclass;
    begin
      -- Neither triggers nor foreign keys: all that refer to the rows go with them.
      set local session_replication_role = replica;
      for emptied in
        with recursive reached (name) as (
          select unnest(array[${names.join(', ')}])
          union
          select k.referring from reached join (
            select conrelid::regclass, confrelid::regclass from pg_constraint where contype = 'f'
            union all values ${KEPT.map(([kept, of]) => `('${kept}'::regclass, '${of}'::regclass)`).join(', ')}
          ) as k (referring, referred) on k.referred = reached.name
        )
        select name from reached
      loop
        execute format('delete from %s', emptied);
      end loop;
    end $empty$`
}
