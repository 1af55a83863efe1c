import { BOUND, NORTE, type Who } from '../cast'
import { answers, type FunctionCase, serviceOnly } from '../expectations'

const MANAGERS: Who[] = ['super_admin', 'admin', 'boundAdmin', 'stranger']
const shape = (answer: unknown) => answer
const outcome = (answer: unknown) => (answer as { outcome?: string } | null)?.outcome ?? answer

/** API tokens; what a machine itself may is in tests/security/api-tokens.test.ts. */
export const tokenFunctions: Record<string, FunctionCase> = {
  prepare_api_token: {
    // Beyond anyone's limit of days: nothing is written.
    body: () => ({
      p_name: 'Cuadro de mando',
      p_permissions: ['canAccessClientes'],
      p_locations: [],
      p_days: 366,
      p_token_hash: 'a'.repeat(64),
      p_account_hash: 'b'.repeat(64),
    }),
    shape: outcome,
    answers: answers<unknown>('forbidden', [MANAGERS, 'malformed'], [BOUND, 'forbidden']),
  },
  list_api_tokens: {
    body: () => ({}),
    shape: (answer) => (Array.isArray(answer) ? answer.length : answer),
    answers: answers<unknown>(0, [NORTE, 0]),
  },
  revoke_api_token: {
    body: ({ ids }) => ({ p_id: ids.Norte }),
    shape,
    answers: answers<unknown>('forbidden', [MANAGERS, 'not_found']),
  },
  discard_api_token: { body: ({ ids }) => ({ p_id: ids.Norte }), shape, answers: serviceOnly() },
  use_api_token: {
    body: ({ ids }) => ({ p_id: ids.Norte, p_token_hash: 'a'.repeat(64), p_network: '203.0.113.7' }),
    shape,
    answers: serviceOnly(),
  },
}
