import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { editedMeanwhile } from '@/lib/http/loaded'
import { refuseBlocked } from '@/lib/sending-check/refuse'
import { checkAutomation } from './check'
import { checkPlan, planDraft } from './preview'
import { getAutomation } from './reads'
import type { Automation, AutomationPatch, NewAutomation } from './schema'
import { parseAutomations } from './stored'

/**
 * Creates an automation in the caller's organization.
 * @throws HttpError 400 (see checkAutomation); 409 for an active one that fails the check before sending; DatabaseError
 * 23505 when the name is taken.
 */
export async function createAutomation(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  input: NewAutomation,
): Promise<Automation> {
  const checked = await checkAutomation(session, input)
  if (checked.status === 'active') await refuseUnready(session, checked)
  const made = await serviceDb().rpc('save_automation', {
    p_organization: session.organization.id,
    p_id: null as never,
    p_fields: checked as unknown as Json,
  })
  const [automation] = parseAutomations(unwrap(made))
  if (!automation) throw new HttpError('NOT_FOUND')
  return automation
}

/**
 * Refuses to have an automation active whose messages fail the check before sending.
 * @throws HttpError 409
 */
async function refuseUnready(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  { name: _, status: __, ...draft }: NewAutomation,
  id?: string,
): Promise<void> {
  refuseBlocked(await checkPlan(session, await planDraft(session, { ...draft, id }, new Date())))
}

/** What the check reads of an automation: other changes of an active one are saved without it. */
const CHECKED = [
  ...['status', 'type', 'channel', 'fallback_channel', 'subject', 'body', 'content_sid', 'content_variables'],
  ...['email_design', 'versions', 'criteria', 'location_ids'],
]

/**
 * Changes the given fields of an automation; the whole of it is checked as it would then be.
 * @throws HttpError 404; 400 (see checkAutomation); 409 when it would be active and fails the check before sending, or when
 * someone else changed it at the same time again and again,
 * or fields since they were `loaded`.
 */
export async function changeAutomation(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  id: string,
  { loaded, ...patch }: AutomationPatch & { loaded?: Readonly<Record<string, unknown>> | undefined },
): Promise<Automation> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await getAutomation(session, id)
    if (Object.keys(patch).length === 0) return before
    refuseEdited(before, patch, loaded)
    const after = await changeFrom(session, before, patch)
    if (after) return after
  }
  throw new HttpError('CHANGED_MEANWHILE')
}

/** Someone who saves in between makes it read, merged and checked again. */
const ATTEMPTS = 3

/**
 * Refuses fields that are no longer as they were loaded and would become something else again.
 * @throws HttpError 409.
 */
function refuseEdited(
  before: Automation,
  patch: AutomationPatch,
  loaded: Readonly<Record<string, unknown>> = {},
): void {
  const now: Readonly<Record<string, unknown>> = before
  const edited = Object.entries(patch).filter(
    ([name, next]) =>
      loaded[name] !== undefined &&
      !isDeepStrictEqual(loaded[name], now[name]) &&
      !isDeepStrictEqual(next, now[name]),
  )
  if (edited.length > 0) throw editedMeanwhile(Object.fromEntries(edited.map(([name]) => [name, now[name]])))
}

/** Saves the change of an automation as it was read; null when it has changed since. */
async function changeFrom(
  session: Pick<Session, 'db' | 'organization' | 'role' | 'user_id'>,
  before: Automation,
  patch: AutomationPatch,
): Promise<Automation | null> {
  const { id: _, created_at: __, updated_at, broken, ...current } = before
  const changesType = patch.type !== undefined && patch.type !== before.type
  const criteria = patch.criteria ?? (changesType ? {} : current.criteria)
  const checked = await checkAutomation(session, { ...current, ...patch, criteria }, patch)
  const isTouched = CHECKED.some((name) => !isDeepStrictEqual(Object(current)[name], Object(checked)[name]))
  if (checked.status === 'active' && isTouched) await refuseUnready(session, checked, before.id)
  // What cannot be read stays stored until it is replaced.
  const given = (name: string) => name in patch || (name === 'criteria' && changesType)
  const fields = broken
    ? Object.fromEntries(Object.entries(checked).filter(([name]) => given(name)))
    : checked
  const changed = await serviceDb().rpc('save_automation', {
    p_organization: session.organization.id,
    p_id: before.id,
    p_fields: fields as unknown as Json,
    p_updated_at: updated_at,
  })
  return parseAutomations(unwrap(changed))[0] ?? null
}

/**
 * Deletes an automation: it runs no more, and what it has in the queue is skipped. Its log and messages stay.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function deleteAutomation(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
): Promise<void> {
  await getAutomation(session, id)
  const deleted = await serviceDb().rpc('save_automation', {
    p_organization: session.organization.id,
    p_id: id,
    p_fields: { deleted_at: new Date().toISOString(), status: 'inactive' },
  })
  if (unwrap(deleted)?.length === 0) throw new HttpError('NOT_FOUND')
}
