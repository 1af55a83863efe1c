import type { CustomerFacts } from './facts-schema'
import type { GuestMatch } from './matches-schema'
import type { Customer, DuplicateGroup } from './schema'

const CAME = {
  basis: 'existing_customer',
  source: 'visit',
  at: '2026-03-08T20:30:00.000Z',
  author: null,
  reason: null,
} as const

/** The example of a customer in the OpenAPI document. */
export const exampleCustomer: Customer = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  email: 'ana@correo.example',
  phone: '+34612345678',
  emails: ['ana.ruiz@trabajo.example'],
  phones: [],
  whatsapp_id: 'ES.13491208655302741918',
  first_name: 'Ana',
  last_name: 'Ruiz',
  birth_date: '1988-02-29',
  company: null,
  job_title: null,
  address: null,
  postal_code: null,
  city: 'Getafe',
  language: 'en',
  tags: ['prensa'],
  source: 'Manual',
  notes: null,
  location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  total_visits: 4,
  total_spend: 312.5,
  spend_is_estimate: true,
  points: 348,
  last_visit_at: '2026-11-14T20:30:00.000Z',
  last_visit_on: '2026-11-14',
  loyalty_tier: { id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11', name: 'Plata' },
  created_at: '2026-03-02T10:15:00.000Z',
  consent: {
    whatsapp: { ...CAME, opted_out: false },
    sms: { ...CAME, source: 'stop', at: '2026-05-11T09:02:00.000Z', author: 'Ana Ruiz', opted_out: true },
    email: {
      basis: 'opt_in',
      source: 'staff',
      at: '2026-03-02T10:15:00.000Z',
      author: 'Lucía Prieto',
      reason: 'Firmó la hoja del club',
      opted_out: false,
    },
  },
  allergies: ['nuts'],
  write_frequency: 'monthly',
  muted_brands: [],
}

export const exampleMatch: GuestMatch = {
  id: exampleCustomer.id,
  first_name: 'José',
  last_name: 'García López',
  phone: '… 678',
  email: 'j…@correo.example',
  last_visit_at: '2026-11-14T20:30:00.000Z',
  last_visit_on: '2026-11-14',
  total_visits: 4,
  chance: 'very_likely',
  reasons: ['phone', 'nickname', 'surname'],
}

export const exampleDuplicateGroup: DuplicateGroup = {
  reason: 'phone',
  reasons: ['phone'],
  probability: 0.97,
  certain: false,
  pairs: [
    {
      customer_ids: [exampleCustomer.id, '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
      probability: 0.97,
      certain: false,
      evidence: { given: 'nickname', surname: 'one_missing', phone: 'exact' },
    },
  ],
  customers: [
    exampleCustomer,
    { ...exampleCustomer, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', email: null },
  ],
}

export const exampleFacts: CustomerFacts = {
  facts: [
    { code: 'nuts', kind: 'allergy', note: 'Lleva adrenalina' },
    { code: 'window', kind: 'preference', note: null },
  ],
  suggested: ['lactose'],
}

export const exampleExport = {
  exported_at: '2026-11-20T12:00:00.000Z',
  customer: exampleCustomer,
  recorded_consents: {
    email: { basis: 'opt_in', source: 'staff', at: '2026-03-02T10:15:00.000Z', author: 'Lucía Prieto' },
  },
  former_addresses: [],
  former_names: [],
  merges: [],
  facts: [
    {
      ...{ code: 'nuts', kind: 'allergy', note: 'Lleva adrenalina' },
      ...{ recorded_by: 'Lucía Prieto', recorded_at: '2026-03-02T10:15:00.000Z' },
    },
  ],
  rhythm: null,
  reservations: [],
  points: [],
  control_groups: [],
  messages: [],
  conversations: [
    {
      ...{ channel: 'sms', address: '+34612345678', sender_name: null },
      last_message_at: '2026-11-20T11:00:00.000Z',
      texts: [
        {
          ...{ direction: 'in', text: '¿Tenéis trona?', media: null, sent_by: null },
          at: '2026-11-20T11:00:00.000Z',
        },
      ],
    },
  ],
  tickets: [],
  feedback: [
    {
      ...{ location: 'Retiro', score: 5 as const, words: 'El arroz, de diez.', language: 'es' as const },
      ...{ answered_at: '2026-11-20T11:00:00.000Z', changed_at: null },
    },
  ],
  calendar_events: [],
  suppressions: [],
  whatsapp_windows: [{ address: '+34612345678', last_inbound_at: '2026-11-18T19:02:11.000Z' }],
  audit: [{ action: 'customer.exported', details: {}, created_at: '2026-11-20T12:00:00.000Z' }],
}
