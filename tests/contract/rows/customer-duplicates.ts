import { type Row, UUID } from '../row'
import { all, given } from './arrange'
import { about } from './cases'
import { existing, ID, MERGE, shown, stored, TWIN, twin } from './customers'

/** Duplicates of customers, and merging them. */
export const duplicateRows: Row[] = [
  {
    name: 'merges the duplicate into it',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: MERGE, id: ID, body: { duplicate_id: TWIN } },
    arrange: all(existing, twin),
    answers: {
      status: 200,
      body: {
        data: shown(ID, { tags: ['contrato', 'copia'], merge_id: UUID }),
      },
    },
  },
  {
    name: 'finds no such duplicate',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: MERGE, id: ID, body: { duplicate_id: TWIN } },
    arrange: existing,
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses to merge a customer with itself',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: MERGE, id: ID, body: { duplicate_id: ID } },
    arrange: existing,
    answers: { status: 400, body: { error: 'duplicate_id: Must be another customer' } },
  },
  {
    name: 'refuses a body without a duplicate',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: MERGE, id: ID, body: {} },
    answers: { status: 400, body: about('duplicate_id') },
  },
  {
    name: 'lists two customers who share phone and name',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: 'GET /api/customers/duplicates' },
    arrange: all(
      given('customers', ({ other }) => ({
        id: ID,
        organization_id: other.id,
        ...stored,
        created_at: '2026-01-01T10:00:00Z',
      })),
      given('customers', ({ other }) => ({
        id: TWIN,
        organization_id: other.id,
        ...stored,
        email: null,
        birth_date: null,
      })),
    ),
    answers: {
      status: 200,
      body: {
        data: [
          {
            reason: 'phone',
            reasons: ['phone'],
            customers: [shown(ID), shown(TWIN, { email: null, birth_date: null })],
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'lists none when there are none',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: 'GET /api/customers/duplicates' },
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers/duplicates', query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
]
