import { error, type Row } from '../row'
import { about } from './cases'

const GIVE = 'POST /api/auth/second-factor'
const READ = 'GET /api/account/second-factor'
const START = 'POST /api/account/second-factor'
const REMOVE = 'DELETE /api/account/second-factor'
const CONFIRM = 'POST /api/account/second-factor/confirm'

const code = { code: '123456' }
const factor = { factor_id: '5a0e9c3d-7b1f-4c2e-9d8a-1f6b3e4c5d7a', ...code }

// The embedded Auth has no second factor; on Postgres the real one does.
const WITHOUT_FACTORS: Row[] =
  process.env.STACK === 'postgres'
    ? []
    : [
        {
          name: 'says when Auth has no second factor',
          section: 'our own: second factor',
          as: 'rrhh',
          request: { operation: READ },
          answers: {
            status: 200,
            body: { data: { available: false, enrolled: false, required: false, confirmed: true } },
          },
        },
        {
          name: 'refuses when Auth has no second factor',
          section: 'our own: second factor',
          as: 'rrhh',
          request: { operation: START },
          answers: { status: 501, body: error('The Auth of this installation has no second factor') },
        },
        {
          name: 'refuses when Auth cannot remove a second factor',
          section: 'our own: second factor',
          as: 'rrhh',
          request: { operation: GIVE, body: { recovery_code: 'ABCD-EFGH-IJKL-MNOP' } },
          answers: {
            status: 501,
            body: error('The Auth of this installation cannot remove a second factor'),
          },
        },
      ]

/** The second factor of someone without one; with one, see tests/security/second-factor.test.ts. */
export const accountRows: Row[] = [
  {
    name: 'refuses a person without a second factor',
    section: 'our own: second factor',
    as: 'rrhh',
    request: { operation: REMOVE, body: code },
    answers: { status: 409, body: error('There is no second factor') },
  },
  {
    name: 'refuses a code of five digits',
    section: 'our own: second factor',
    as: 'rrhh',
    request: { operation: REMOVE, body: { code: '12345' } },
    answers: { status: 400, body: about('code') },
  },
  {
    name: 'refuses a factor that is not an id',
    section: 'our own: second factor',
    as: 'rrhh',
    request: { operation: CONFIRM, body: { ...factor, factor_id: 'x' } },
    answers: { status: 400, body: about('factor_id') },
  },
  {
    name: 'refuses a person without a second factor',
    section: 'our own: second factor',
    as: 'rrhh',
    request: { operation: GIVE, body: code },
    answers: { status: 409, body: error('There is no second factor') },
  },
  {
    name: 'refuses a caller without a session',
    section: 'our own: second factor',
    as: 'visitor',
    request: { operation: GIVE, body: code },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses neither code nor recovery code',
    section: 'our own: second factor',
    as: 'rrhh',
    request: { operation: GIVE, body: {} },
    answers: { status: 400, body: about('body') },
  },
  ...WITHOUT_FACTORS,
]
