import { SINGLE_FIELDS } from '@/lib/customers/guest-fields'
import { ISO, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'
import { existing, ID, shown, TWIN, twin } from './customers'

const LIST = 'GET /api/customers/duplicates/different'
const JUDGE = 'PUT /api/customers/duplicates/different'
const PAIR = 'c0000000-0000-4000-8000-0000000000aa'

const apart = { customer_id: ID, other_ids: [TWIN], different: true }
const both = all(
  existing,
  twin,
  afterwards(`delete from public.audit_log where action like 'customer.told_apart%'`),
)
const told = given('customer_pairs', () => ({
  id: PAIR,
  first_id: ID,
  second_id: TWIN,
  verdict: 'different',
  author_name: 'Lucía Prieto',
}))
const alone = { email: 'ana2@contrato.example', first_name: 'Ana', tags: ['copia'], source: null }
const blank = Object.fromEntries(SINGLE_FIELDS.map((field) => [field, null]))

/** Customers who are not the same person. */
export const pairRows: Row[] = [
  {
    name: 'tells two customers apart',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: JUDGE, body: apart },
    arrange: both,
    answers: { status: 204 },
  },
  {
    name: 'takes it back',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: JUDGE, body: { ...apart, different: false } },
    arrange: all(both, told),
    answers: { status: 204 },
  },
  {
    name: 'finds no such customer',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: JUDGE, body: apart },
    arrange: existing,
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses a verdict about nobody else',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: JUDGE, body: { ...apart, other_ids: [] } },
    answers: { status: 400, body: about('other_ids') },
  },
  {
    name: 'lists who was told apart',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LIST },
    arrange: all(both, told),
    answers: {
      status: 200,
      body: {
        data: [
          {
            id: UUID,
            decided_at: ISO,
            author_name: TEXT,
            customers: [shown(ID), shown(TWIN, { ...blank, ...alone })],
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'refuses a malformed cursor',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LIST, query: '?cursor=x' },
    answers: { status: 400, body: { error: 'Malformed cursor' } },
  },
]
