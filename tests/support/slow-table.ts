import type { Stack } from './stack'

/** Above so many rows a statement takes as long as it may. */
const MOST_ROWS = 700

/**
 * Cancels a statement that inserts many rows into the table, as the database does when its time is up. Not on the
 * embedded stack, which has no such limit and no code for it. What it resolves to ends that.
 */
export async function cancelLargeInserts(
  { sql }: Pick<Stack, 'sql'>,
  table: string,
): Promise<() => Promise<unknown>> {
  await sql(
    `create function private.slow() returns trigger language plpgsql as $$
     begin
       if (select count(*) from added) > ${MOST_ROWS} then raise query_canceled; end if;
       return null;
     end $$`,
  )
  await sql(
    `create trigger slow after insert on public.${table}
     referencing new table as added for each statement execute function private.slow()`,
  )
  return () => sql('drop function private.slow() cascade')
}
