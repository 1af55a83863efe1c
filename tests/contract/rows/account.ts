import { error, type Row } from '../row'
import { about, cases, signedOut } from './cases'

const GIVE = 'POST /api/auth/second-factor'
const READ = 'GET /api/account/second-factor'
const START = 'POST /api/account/second-factor'
const REMOVE = 'DELETE /api/account/second-factor'
const CONFIRM = 'POST /api/account/second-factor/confirm'

const code = { code: '123456' }
const factor = { factor_id: '5a0e9c3d-7b1f-4c2e-9d8a-1f6b3e4c5d7a', ...code }
const second = cases('decisions §10: second factor', 'rrhh')

// The embedded Auth has no second factor; on Postgres the real one does.
const WITHOUT_FACTORS: Row[] =
  process.env.STACK === 'postgres'
    ? []
    : [
        second(
          'Auth has none',
          READ,
          200,
          { data: { available: false, enrolled: false, required: false, confirmed: true } },
          {},
        ),
        second('Auth has none', START, 501, error('The Auth of this installation has no second factor')),
        second(
          'Auth cannot remove one',
          GIVE,
          501,
          error('The Auth of this installation cannot remove a second factor'),
          { json: { recovery_code: 'ABCD-EFGH-IJKL-MNOP' } },
        ),
      ]

/** The second factor of someone without one; with one, see tests/security/second-factor.test.ts. */
export const accountRows: Row[] = [
  ...signedOut([READ, START, REMOVE, CONFIRM]),
  second('there is none', REMOVE, 409, error('There is no second factor'), { json: code }),
  second('the code has five digits', REMOVE, 400, about('code'), { json: { code: '12345' } }),
  second('the factor is no id', CONFIRM, 400, about('factor_id'), { json: { ...factor, factor_id: 'x' } }),
  second('there is none', GIVE, 409, error('There is no second factor'), { json: code }),
  second('there is no session', GIVE, 401, error('Unauthorized'), { as: 'nobody', json: code }),
  second('it is neither code nor recovery code', GIVE, 400, about('body'), { json: {} }),
  ...WITHOUT_FACTORS,
]
