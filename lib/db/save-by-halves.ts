import { DatabaseError } from './errors'

/** Shared by the batches of one run: how many calls may still be made beyond one a batch, and the most rows of a call. */
export interface HalvingBudget {
  calls: number
  /** Lowered when a call takes longer than the database allows, so that later batches do not wait for it again. */
  rows?: number
}

// Errors that the rows cause: data exceptions (22), constraints (23), limits such as an index row's
// size (54), and JSON that PostgREST cannot read. Conflicts and outages are not caused by rows.
const ROW_FAULT = /^(21|22|23|54|PGRST102$)/
// The time limit of a statement (57014): half the rows take half the time, but below this the cause is another one.
const TIME_IS_UP = '57014'
const FEWEST_ROWS_TO_HALVE = 300
// The embedded Supabase returns Postgres' message without the code.
const IN_WORDS = /violates \w+( \w+)? constraint|index row (size|requires)|invalid input syntax|out of range/

/**
 * Saves rows in one call. When the database refuses their content, it saves each half separately, down to single rows;
 * a refused row goes to `refused` with the name of the constraint or index, else the error's code, never a value.
 * A call that takes too long is halved as well, down to some 150 rows.
 * @throws DatabaseError of another kind, or the refusal once the budget is used up; saved rows stay saved.
 */
export async function saveByHalves<Row>(
  rows: readonly Row[],
  save: (rows: Row[]) => Promise<void>,
  refused: (row: Row, reason: string) => void,
  budget: HalvingBudget,
): Promise<void> {
  const inHalves = async () => {
    const middle = Math.ceil(rows.length / 2)
    await saveByHalves(rows.slice(0, middle), save, refused, budget)
    await saveByHalves(rows.slice(middle), save, refused, budget)
  }
  if (rows.length > (budget.rows ?? Number.POSITIVE_INFINITY)) return inHalves()
  try {
    await save([...rows])
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.code === TIME_IS_UP && rows.length >= FEWEST_ROWS_TO_HALVE) {
      budget.rows = Math.ceil(rows.length / 2)
      return inHalves()
    }
    if (!isRowFault(error)) throw error
    const [only, ...others] = rows
    if (only !== undefined && others.length === 0) return refused(only, reasonOf(error))
    budget.calls -= 2
    if (budget.calls < 0 || rows.length === 0) throw error
    await inHalves()
  }
}

function isRowFault({ code, message }: DatabaseError): boolean {
  return ROW_FAULT.test(code) || IN_WORDS.test(message)
}

function reasonOf({ code, message }: DatabaseError): string {
  return /(?:constraint|index) "(\w+)"/.exec(message)?.[1] ?? code
}
