import type { Row } from '../row'
import { about } from './cases'
import { existing, ID } from './customers'

const MATCHES = 'POST /api/customers/matches'
const row = (name: string, rest: Pick<Row, 'answers' | 'arrange'> & { body: object }): Row => ({
  name,
  section: 'our own: customers',
  as: 'operaciones',
  request: { operation: MATCHES, body: rest.body },
  ...(rest.arrange ? { arrange: rest.arrange } : {}),
  answers: rest.answers,
})
const typed = { first_name: 'Ana', last_name: 'Ruiz', phone: '699 000 111' }

/** Who may be the guest that is being typed in. */
export const matchRows: Row[] = [
  row('shows who is likely the same person, with masked addresses', {
    body: { ...typed, email: 'ana.ruiz@contrato.example', birth_date: '1990-09-05' },
    arrange: existing,
    answers: {
      status: 200,
      body: {
        data: [
          {
            id: ID,
            first_name: 'Ana',
            last_name: 'Ruiz',
            phone: '… 111',
            email: 'a…@contrato.example',
            last_visit_at: null,
            last_visit_on: null,
            total_visits: 0,
            chance: 'certain',
            reasons: ['phone', 'name', 'surname', 'birth'],
          },
        ],
      },
    },
  }),
  row('shows nobody to whoever is that customer', {
    body: { ...typed, id: ID },
    arrange: existing,
    answers: { status: 200, body: { data: [] } },
  }),
  row('leaves out what is no whole address yet', {
    body: { email: 'ana@con', phone: '699' },
    arrange: existing,
    answers: { status: 200, body: { data: [] } },
  }),
  row('refuses a field that it does not know', {
    body: { ...typed, notes: 'x' },
    answers: { status: 400, body: about('body') },
  }),
  row('refuses a text that is too long', {
    body: { last_name: 'x'.repeat(101) },
    answers: { status: 400, body: about('last_name') },
  }),
]
