import { DatabaseError } from './errors'

/** How many calls may still be made to find rows that the database refuses; shared by the batches of one run. */
export interface HalvingBudget {
  calls: number
}

// Errors that the rows cause: data exceptions (22), constraints (23), limits such as an index row's
// size (54), and JSON that PostgREST cannot read. Time-outs, conflicts and outages are not caused by rows.
const ROW_FAULT = /^(21|22|23|54|PGRST102$)/
// The embedded Supabase returns Postgres' message without the code.
const IN_WORDS = /violates \w+( \w+)? constraint|index row (size|requires)|invalid input syntax|out of range/

/**
 * Saves rows in one call. When the database refuses their content, it saves each half separately, down to single rows;
 * a refused row goes to `refused` with the name of the constraint or index, else the error's code, never a value.
 * @throws DatabaseError of another kind, or the refusal once the budget is used up; saved rows stay saved.
 */
export async function saveByHalves<Row>(
  rows: readonly Row[],
  save: (rows: Row[]) => Promise<void>,
  refused: (row: Row, reason: string) => void,
  budget: HalvingBudget,
): Promise<void> {
  try {
    await save([...rows])
  } catch (error) {
    if (!(error instanceof DatabaseError) || !isRowFault(error)) throw error
    const [only, ...others] = rows
    if (only !== undefined && others.length === 0) return refused(only, reasonOf(error))
    budget.calls -= 2
    if (budget.calls < 0 || rows.length === 0) throw error
    const middle = Math.ceil(rows.length / 2)
    await saveByHalves(rows.slice(0, middle), save, refused, budget)
    await saveByHalves(rows.slice(middle), save, refused, budget)
  }
}

function isRowFault({ code, message }: DatabaseError): boolean {
  return ROW_FAULT.test(code) || IN_WORDS.test(message)
}

function reasonOf({ code, message }: DatabaseError): string {
  return /(?:constraint|index) "(\w+)"/.exec(message)?.[1] ?? code
}
