import type { Arrange, Row } from '../row'
import { all } from './arrange'
import { about } from './cases'
import { existing, FACTS, ID, RECORD } from './customers'

const nuts = { code: 'nuts', kind: 'allergy', note: 'Lleva adrenalina' }
/** Gone with the customer. */
const recorded: Arrange = async ({ group, stack }) => {
  await stack.sql(
    `insert into public.customer_facts (organization_id, customer_id, code, kind, note, recorded_by)
     values ($1, $2, $3, $4, $5, 'Sala')`,
    [group.id, ID, nuts.code, nuts.kind, nuts.note],
  )
}

/** A customer's allergies, diets and preferences. */
export const factRows: Row[] = [
  {
    name: 'gives what is recorded and what the notes suggest',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: FACTS, id: ID },
    arrange: all(existing, recorded),
    answers: { status: 200, body: { data: { facts: [nuts], suggested: [] } } },
  },
  {
    name: 'records an allergy with a note',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: RECORD, id: ID, body: { facts: [{ code: 'nuts', note: nuts.note }] } },
    arrange: existing,
    answers: { status: 200, body: { data: { facts: [nuts], suggested: [] } } },
  },
  {
    name: 'refuses a fact that comes twice',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: RECORD, id: ID, body: { facts: [{ code: 'nuts' }, { code: 'nuts', note: 'x' }] } },
    arrange: existing,
    answers: { status: 400, body: about('facts') },
  },
  {
    name: 'refuses an unknown fact',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: RECORD, id: ID, body: { facts: [{ code: 'gold' }] } },
    arrange: existing,
    answers: { status: 400, body: about('facts.0.code') },
  },
]
