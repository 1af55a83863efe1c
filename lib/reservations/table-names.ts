/** The tables that a reservation's `table_name` joins, each once: `S4+S5` are two. `private.table_names` has the same. */
export const tableNames = (table_name: string | null | undefined): string[] => [
  ...new Set((table_name ?? '').split('+').flatMap((name) => name.trim() || [])),
]
