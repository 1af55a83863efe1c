/** How an attempt to synchronise ended. */
export interface SyncOutcome {
  kind: 'done' | 'problems' | 'busy' | 'notConfigured' | 'failed' | 'signedOut'
  reservations: number
  customers: number
  problems: number
}

interface SyncAnswer {
  synced_reservations?: number
  synced_customers?: number
  errors?: string[]
  error?: string
}

/** Asks the server for a synchronisation and waits for its end. Never throws. */
export async function startSync(): Promise<SyncOutcome> {
  const none = { reservations: 0, customers: 0, problems: 0 }
  try {
    const response = await fetch('/api/sync', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ source: 'pms' }),
    })
    if (response.status === 401) return { kind: 'signedOut', ...none }
    if (response.status === 409) return { kind: 'busy', ...none }
    const answer = (await response.json()) as SyncAnswer
    if (answer.error === 'PMS integration is not configured') return { kind: 'notConfigured', ...none }
    if (!response.ok) return { kind: 'failed', ...none }
    const problems = answer.errors?.length ?? 0
    return {
      kind: problems > 0 ? 'problems' : 'done',
      reservations: answer.synced_reservations ?? 0,
      customers: answer.synced_customers ?? 0,
      problems,
    }
  } catch {
    return { kind: 'failed', ...none }
  }
}
