import { type Stack, startStack } from '../support/stack'

/**
 * A stack of the test file's own. RLS_MUTATION is SQL that breaks the schema's rights on purpose:
 * tests/support/rls-mutations.ts sets it to prove that some test notices.
 */
export async function startRlsStack(): Promise<Stack> {
  silenceRefusals()
  const stack = await startStack()
  const mutation = process.env.RLS_MUTATION
  if (!mutation) return stack
  try {
    await stack.sql(`do $mutation$ begin ${mutation}; end $mutation$`)
  } catch (error) {
    await stack.close()
    throw new Error(`RLS_MUTATION does not run: ${mutation}`, { cause: error })
  }
  return stack
}

/** The embedded stack prints every query that fails; these files are about queries that must. */
function silenceRefusals(): void {
  const print = console.error
  console.error = (...values: unknown[]) => {
    const fromPostgres = values.some((value) => value instanceof Error && 'severity' in value)
    if (!fromPostgres) print(...values)
  }
}
