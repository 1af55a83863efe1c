import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { invalidInput, notFoundError } from '@/lib/http/errors'
import { testPms } from '@/lib/pms/test-connection'
import { ask, failed, type Question, works } from './question'
import type { TestReason, TestResult, testInputSchema } from './schema'
import { questionsOf, type ServiceType } from './services'
import { INTEGRATION_TYPES } from './types'

const TIMEOUT_MS = 8000

/**
 * Tests the stored settings with the provider, enabled or not, or those of `input`. Saves nothing and sends no message.
 * @param timeoutMs the time limit for the provider's answer; tests pass a shorter one
 * @throws HttpError 404 for an unknown type, 400 for `input` of another type than pms, 403 for `input` of a caller bound
 * to locations.
 */
export async function testConnection(
  session: Pick<Session, 'organization' | 'db' | 'user_id' | 'role'>,
  name: string,
  input?: z.infer<typeof testInputSchema>,
  timeoutMs = TIMEOUT_MS,
): Promise<TestResult> {
  const type = INTEGRATION_TYPES.find((known) => known === name)
  if (!type) throw notFoundError()
  if (type === 'pms') return testPms(session, input?.config)
  if (input)
    throw invalidInput({
      path: 'config',
      code: 'unknown_field',
      message: 'only a PMS is tested before it is saved',
    })
  return testProvider(type, session.organization.id, timeoutMs)
}

/** Tests the stored settings of an organization with the provider, enabled or not, for the app itself. */
export async function testProvider(
  type: ServiceType,
  organizationId: string,
  timeoutMs = TIMEOUT_MS,
): Promise<TestResult> {
  let questions: Question[]
  try {
    questions = await questionsOf(type, organizationId)
  } catch {
    return failed('unreadable_key', 'a stored secret cannot be read: enter it again')
  }
  const [first, ...others] = questions
  if (!first) return failed('not_configured', 'a required field is missing')
  const result = await ask(first, timeoutMs)
  if (!result.success) return result
  const rest = await Promise.all(others.map((question) => ask(question, timeoutMs / 2)))
  // Where the provider does not tell, it stays open whether the sender is right.
  return rest.find((one) => !one.success && SENDER_REASONS.has(one.reason)) ?? works
}

const SENDER_REASONS: ReadonlySet<TestReason> = new Set([
  'sms_sender_unknown',
  'whatsapp_sender_unknown',
  'whatsapp_sender_offline',
])
