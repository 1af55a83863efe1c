import type { Arrange, Row } from '../row'
import { all, given } from './arrange'
import { about } from './cases'
import { existing, ID } from './customers'

const CARD = 'GET /api/service/guests/{id}'
const NOTES = 'PATCH /api/service/guests/{id}'

const card = {
  ...{
    id: ID,
    name: 'Ana Ruiz',
    tier: null,
    tags: ['contrato'],
    notes: null,
    allergies: [],
    facts: [],
    suggested: [],
  },
}
/** Floor staff see guests of their location. */
const booked: Arrange = all(
  existing,
  given('reservations', ({ location }) => ({
    ...{ id: 'a0000000-0000-4000-8000-00000000006a', location_id: location('Alfa'), customer_id: ID },
    ...{ source: 'manual', reservation_date: '2031-06-10', reservation_time: '21:00', party_size: 2 },
  })),
)

/** What the floor knows of a guest. */
export const guestCardRows: Row[] = [
  {
    name: 'shows the card of a guest',
    section: 'our own: guest cards',
    as: 'sala',
    request: { operation: CARD, id: ID },
    arrange: booked,
    answers: { status: 200, body: { data: card } },
  },
  {
    name: 'shows no card of a guest who was never at their location',
    section: 'our own: guest cards',
    as: 'sala',
    request: { operation: CARD, id: ID },
    arrange: existing,
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'changes the notes of a guest',
    section: 'our own: guest cards',
    as: 'sala',
    request: { operation: NOTES, id: ID, body: { notes: ' Viene de parte de Marta ' } },
    arrange: booked,
    answers: { status: 200, body: { data: { ...card, notes: 'Viene de parte de Marta' } } },
  },
  {
    name: 'refuses notes that are no text',
    section: 'our own: guest cards',
    as: 'sala',
    request: { operation: NOTES, id: ID, body: { notes: 7 } },
    arrange: booked,
    answers: { status: 400, body: about('notes') },
  },
]
