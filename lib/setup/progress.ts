import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, notFoundError, refuse } from '@/lib/http/errors'
import { webhooksHeard } from '@/lib/webhooks/heard'
import {
  OPTIONAL_STEPS,
  SETUP_STEPS,
  type SetupEntries,
  type SetupProgress,
  type SetupStep,
  setupProgressSchema,
} from './schema'

type Asker = Pick<Session, 'db' | 'can'>

/** The set-up list of the group; null when the caller cannot do its steps. */
async function setupProgress({ db, can }: Asker, onHome = false): Promise<SetupProgress | null> {
  if (!can('canViewSettings')) return null
  const found = unwrap(await db.rpc('setup_progress', { p_on_home: onHome }))
  return found === null ? null : setupProgressSchema.parse(found)
}

/** The same with the webhooks' last calls. */
export async function setupEntries(
  session: Asker & Pick<Session, 'organization'>,
): Promise<SetupEntries | null> {
  const [progress, webhooks] = await Promise.all([setupProgress(session), webhooksHeard(session)])
  return progress && webhooks && { ...progress, webhooks }
}

/**
 * The same for the API.
 * @throws HttpError 403 for people who are bound to locations: they cannot do the steps.
 */
export async function readSetup(session: Asker & Pick<Session, 'organization'>): Promise<SetupEntries> {
  const entries = await setupEntries(session)
  if (!entries) throw new HttpError('FORBIDDEN')
  return entries
}

/** The list where home shows it: not when the group hid it, nor when no step is open. */
export async function setupOnHome(session: Asker): Promise<SetupProgress | null> {
  const progress = await setupProgress(session, true)
  return progress?.shown && openSteps(progress).length > 0 ? progress : null
}

/** Whether a step was put off; it counts neither as done nor as open. */
export const isSkipped = ({ steps, skipped }: SetupProgress, step: SetupStep): boolean =>
  !steps[step].done && (skipped as Partial<Record<SetupStep, object>>)[step] !== undefined

/** The steps that are neither done nor put off. */
export const openSteps = (progress: SetupProgress): SetupStep[] =>
  SETUP_STEPS.filter((step) => !progress.steps[step].done && !isSkipped(progress, step))

/**
 * Puts an optional step off, or opens it again.
 * @throws HttpError 404 for a step that there is not, or that is needed; 403 for people bound to locations.
 */
export async function skipStep({ db }: Pick<Session, 'db'>, step: string, skipped: boolean): Promise<void> {
  const optional: readonly string[] = OPTIONAL_STEPS
  if (!optional.includes(step)) throw notFoundError()
  refuse(unwrap(await db.rpc('skip_setup_step', { p_step: step, p_skipped: skipped })), {
    forbidden: 'FORBIDDEN',
  })
}
