import { error, type Row } from '../row'
import { about } from './cases'

const GIVE = 'POST /api/auth/second-factor'
const READ = 'GET /api/account/second-factor'
const REMOVE = 'DELETE /api/account/second-factor'
const CONFIRM = 'POST /api/account/second-factor/confirm'

const code = { code: '123456' }
const factor = { factor_id: '5a0e9c3d-7b1f-4c2e-9d8a-1f6b3e4c5d7a', ...code }

/** The second factor of someone without one; with one, see tests/security/second-factor.test.ts. */
export const accountRows: Row[] = [
  {
    name: 'says that there is none yet',
    section: 'our own: second factor',
    as: 'rrhh',
    request: { operation: READ },
    answers: {
      status: 200,
      body: { data: { available: true, enrolled: false, required: false, confirmed: true } },
    },
  },
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
]
