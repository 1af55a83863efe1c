import { expect } from 'vitest'
import { ISO, type Row, UUID } from '../row'
import { about } from './cases'
import { existing, gift, ID, LEDGER, POINTS } from './customers'

const entry = {
  id: UUID,
  ...gift,
  reservation_id: null,
  reservation_date: null,
  amount: null,
  multiplier: null,
  amount_is_estimate: false,
  author: expect.any(String),
  created_at: ISO,
}

/** A customer's points. */
export const pointRows: Row[] = [
  {
    name: 'lists no entries of a customer without points',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LEDGER, id: ID },
    arrange: existing,
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses a malformed cursor',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LEDGER, id: ID, query: '?cursor=x' },
    arrange: existing,
    answers: { status: 400, body: { error: 'Malformed cursor' } },
  },
  {
    name: 'adjusts the points',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: POINTS, id: ID, body: gift },
    arrange: existing,
    answers: { status: 201, body: { data: { entry, balance: 5 } } },
  },
  {
    name: 'refuses to redeem more points than there are',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: POINTS, id: ID, body: { ...gift, kind: 'redeemed' } },
    arrange: existing,
    answers: { status: 409, body: { error: 'Not enough points' } },
  },
  {
    name: 'refuses a body without a reason',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: POINTS, id: ID, body: { kind: 'adjusted', points: 5 } },
    arrange: existing,
    answers: { status: 400, body: about('reason') },
  },
  {
    name: 'refuses to redeem a negative number',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: POINTS, id: ID, body: { ...gift, kind: 'redeemed', points: -5 } },
    arrange: existing,
    answers: { status: 400, body: about('points') },
  },
]
