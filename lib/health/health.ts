import 'server-only'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { type Fault, findFault } from './fault'
import { INSTALLATION_HEADER, installationId } from './installation-id'

/** Each fault for programs, in the answer of health. */
const ERRORS: Record<Fault['kind'], string> = {
  settings: 'The settings are not valid; the log names them',
  silent: 'The database does not answer',
  foreign: 'Something else than Supabase answers at SUPABASE_URL',
  key_refused: 'Supabase refuses the key of the app; the log names it',
  schema_missing: 'The database has no schema: its migrations were not applied',
  schema_old: 'The schema of the database is older than the app: apply the migrations of this build',
}

let asking: Promise<Fault | null> | undefined

/**
 * Whether the deployment's settings are valid, the database takes the app's keys and answers within three seconds, and
 * it has the schema of this build. The log says why not.
 * @throws HttpError 503 `{status: 'unhealthy', error}`.
 */
export async function checkHealth(): Promise<Response> {
  // Anybody may ask: calls at the same time share their questions.
  asking ??= findFault().finally(() => {
    asking = undefined
  })
  const fault = await asking
  if (fault) {
    logFault(fault)
    throw new HttpError('UNHEALTHY', {
      error: ERRORS[fault.kind],
      fields: { status: 'unhealthy' },
      headers: fault.kind === 'settings' ? {} : named(),
    })
  }
  const body = {
    status: 'healthy',
    database: 'connected',
    timestamp: new Date().toISOString(),
    version: '1.0.0',
  }
  return Response.json(body, { headers: named() })
}

const named = () => ({ [INSTALLATION_HEADER]: installationId() })

/** Says in the log why the app cannot run, with the settings concerned, and never a value. */
export function logFault(fault: Fault): void {
  const { kind, ...details } = fault
  log().error({ fault: kind, ...details }, ERRORS[kind])
}

/** Names each invalid variable of the deployment in the log, with what is wrong with it, never a value. */
export function reportSettings(): void {
  try {
    env()
  } catch (err) {
    log().fatal({ err }, 'the settings are not valid')
  }
}
