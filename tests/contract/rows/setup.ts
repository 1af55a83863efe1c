import { CHOSEN } from '../../factories/group'
import { SETUP_TOKEN } from '../built-app'
import { error, type Row, unexpected } from '../row'
import { without } from './arrange'
import { about } from './cases'

const SETUP = 'POST /api/setup'
const unlimited = without(`delete from public.attempt_limits where key like 'setup:%'`)
const body = {
  token: SETUP_TOKEN,
  group_name: 'Grupo Nuevo',
  timezone: 'Europe/Madrid',
  email: 'primera@contrato.example',
  full_name: 'Primera Persona',
  password: CHOSEN,
}

/** Making the first group, where there is one already; that it is made is tried in tests/security/setup.test.ts. */
export const setupRows: Row[] = [
  {
    name: 'makes no second group',
    section: 'our own: setting up',
    as: 'visitor',
    request: { operation: SETUP, body },
    arrange: unlimited,
    answers: { status: 409, body: error('There is a group already: sign in') },
  },
  {
    name: 'refuses another token',
    section: 'our own: setting up',
    as: 'visitor',
    request: { operation: SETUP, body: { ...body, token: 'guess' } },
    arrange: unlimited,
    answers: { status: 403, body: error('The setup token is not right, or none is set') },
  },
  {
    name: 'refuses a group without a name',
    section: 'our own: setting up',
    as: 'visitor',
    request: { operation: SETUP, body: { ...body, group_name: '' } },
    arrange: unlimited,
    answers: { status: 400, body: about('group_name') },
  },
  {
    name: 'refuses a page of another site',
    section: 'our own: setting up',
    as: 'visitor',
    request: { operation: SETUP, body, headers: { origin: 'https://evil.example' } },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'our own: setting up',
    as: 'visitor',
    request: { operation: SETUP, body },
    databaseDown: true,
    answers: { status: 500, body: unexpected },
  },
]
