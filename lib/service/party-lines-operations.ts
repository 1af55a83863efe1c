import { idParams, notFound, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { type LineSource, type PartyLines, partyLinesSchema } from './party-lines-schema'

const location_id = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const customer = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const of = (kind: LineSource['kind'], id = customer): LineSource => ({
  ...{ kind, id, location_id: null, date: null },
})
const visit = { id: '5a7e0c12-6f3d-4b9a-8e21-7c4d9f0b6a35', location_id, date: '2026-10-30' }
const booking = { id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10', location_id, date: '2026-11-20' }

const lines: PartyLines = {
  today: '2026-11-20',
  who: {
    ...{ withheld: false, visits: 12, here: 5, first_visit: false },
    last: { date: visit.date, location: 'Casa Lumbre Chamberí', source: { kind: 'visit', ...visit } },
    usual: { party_size: 4, time: '21:30', table_name: '12', source: of('customer') },
    tier: { name: 'Oro', source: of('tier') },
    source: of('customer'),
  },
  avoid: [{ kind: 'allergy', code: 'gluten', note: null, suggested: false, source: of('fact') }],
  todo: [
    {
      ...{ kind: 'complaint', score: 2, date: visit.date },
      source: of('feedback', 'c8d0b3f1-92a4-4e57-b6c8-1f0a7d5e3b94'),
    },
    { kind: 'birthday', days: 1, source: of('customer') },
    { kind: 'vip', tier: 'Oro', source: of('tier') },
    { kind: 'note', text: 'Mesa tranquila, por favor', source: { kind: 'booking', ...booking } },
  ],
}

export const partyLinesPaths = definePaths({
  '/api/service/parties/{id}': {
    get: {
      tag: 'Service',
      auth: 'session',
      permission: 'canAccessOperaciones',
      summary: 'What to know of a party before it sits down, each with its source',
      description:
        'Of a reservation of a location where the caller works. Codes and values, no sentences. Who may not use guests’ cards gets what the booking says and the recorded allergies; floor staff get no feedback and no tickets.',
      params: idParams,
      responses: {
        200: { description: 'The lines', schema: single(partyLinesSchema), example: { data: lines } },
        404: notFound,
      },
    },
  },
})
