import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { log } from '@/lib/log'
import type { TestKind, TestResult, testInputSchema } from './schema'
import { testConnection } from './test-connection'
import { INTEGRATION_TYPES } from './types'

type Tester = Pick<Session, 'organization' | 'db' | 'user_id' | 'role'>

/**
 * Tests a connection (`testConnection`), and keeps the outcome when the stored settings were tested.
 * @throws HttpError as `testConnection` does.
 */
export async function testAndRemember(
  session: Tester,
  name: string,
  input?: z.infer<typeof testInputSchema>,
): Promise<TestResult> {
  if (input) return testConnection(session, name, input)
  return remembered(session, name, () => testConnection(session, name))
}

/**
 * Keeps the outcome of a test with its time and person. Settings that are saved while it runs were not tested: then, and
 * where nothing is saved yet, it is not kept.
 */
export async function remembered<Result extends TestResult>(
  { organization, user_id }: Pick<Session, 'organization' | 'user_id'>,
  kind: string,
  test: () => Promise<Result>,
): Promise<Result> {
  const type = kind === ('mail' satisfies TestKind) ? 'resend' : INTEGRATION_TYPES.find((one) => one === kind)
  if (!type) return test()
  const found = await serviceDb()
    .from('integration_configs')
    .select('updated_at')
    .eq('organization_id', organization.id)
    .eq('integration_type', type)
    .maybeSingle()
  const seen = unwrap(found)?.updated_at
  const result = await test()
  if (!seen) return result
  try {
    const parameters = {
      p_organization: organization.id,
      p_kind: kind,
      p_by: user_id,
      p_reason: (result.success ? null : result.reason) as string,
      p_seen: seen,
    }
    unwrap(await serviceDb().rpc('note_integration_test', parameters))
  } catch (err) {
    log().error({ err, kind }, 'the outcome of a connection test was not kept')
  }
  return result
}
