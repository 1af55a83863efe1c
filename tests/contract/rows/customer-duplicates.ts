import { expect } from 'vitest'
import { type Row, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'
import { existing, ID, MERGE, shown, stored, TWIN, twin } from './customers'

const COUNT_PAIRS = 'GET /api/customers/duplicates/merge'
const MERGE_ALL = 'POST /api/customers/duplicates/merge'
const CHANGE_IDENTITY = 'PATCH /api/identity'
const unlearned = {
  learned_at: null,
  learned_from: 0,
  waiting: expect.any(Number),
  weights: expect.arrayContaining([{ field: 'phone', level: 'exact', bits: 17.7 }]),
}

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
        data: shown(ID, {
          tags: ['contrato', 'copia'],
          emails: ['ana2@contrato.example'],
          merge_id: UUID,
        }),
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
            probability: expect.any(Number),
            certain: false,
            pairs: [
              {
                customer_ids: [ID, TWIN].sort(),
                probability: expect.any(Number),
                certain: false,
                evidence: expect.objectContaining({ given: 'exact', phone: 'exact' }),
              },
            ],
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
  {
    name: 'counts no pairs when there are none',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: COUNT_PAIRS, query: '?above=0.99&certain=true' },
    answers: { status: 200, body: { data: { pairs: 0, more: false } } },
  },
  {
    name: 'refuses to count pairs of a low confidence',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: COUNT_PAIRS, query: '?above=0.5' },
    answers: { status: 400, body: about('above') },
  },
  {
    name: 'merges nobody when there are no pairs',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: MERGE_ALL, body: { above: 0.99, certain: true } },
    answers: { status: 200, body: { data: { merged: 0, next_cursor: null } } },
  },
  {
    name: 'refuses to merge all of a low confidence',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: MERGE_ALL, body: { above: 0.5 } },
    answers: { status: 400, body: about('above') },
  },
  {
    name: 'refuses a malformed place to go on from',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: MERGE_ALL, body: { above: 0.99, cursor: 'x' } },
    answers: { status: 400, body: { error: 'Malformed cursor' } },
  },
  {
    name: 'says how it is decided who is one person',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: 'GET /api/identity' },
    answers: { status: 200, body: { data: { likely: 0.5, certain: 0.999, ...unlearned } } },
  },
  {
    name: 'changes the thresholds of duplicates',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: CHANGE_IDENTITY, body: { likely: 0.75 } },
    arrange: afterwards('delete from public.identity_settings'),
    answers: { status: 200, body: { data: { likely: 0.75, certain: 0.999, ...unlearned } } },
  },
  {
    name: 'refuses a threshold out of range',
    section: 'our own: customers',
    as: 'admin',
    request: { operation: CHANGE_IDENTITY, body: { likely: 1 } },
    answers: { status: 400, body: about('likely') },
  },
]
