import { type Stack, startStack } from '../support/stack'

/** A stack of the test file's own, which does not print what it refuses. */
export function startRlsStack(): Promise<Stack> {
  silenceRefusals()
  return startStack()
}

/** The embedded stack prints every query that fails; these files are about queries that must. */
function silenceRefusals(): void {
  const print = console.error
  console.error = (...values: unknown[]) => {
    const fromPostgres = values.some((value) => value instanceof Error && 'severity' in value)
    if (!fromPostgres) print(...values)
  }
}
