import type { Customer } from './schema'

/** What the OpenAPI document shows. */
export const exampleCustomer: Customer = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  email: 'ana@correo.example',
  phone: '+34612345678',
  first_name: 'Ana',
  last_name: 'Ruiz',
  birth_date: '1988-02-29',
  company: null,
  job_title: null,
  address: null,
  tags: ['prensa'],
  source: 'Manual',
  notes: null,
  location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  total_visits: 4,
  total_spend: 312.5,
  points: 348,
  last_visit_at: '2026-11-14T20:30:00.000Z',
  loyalty_tier: { id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11', name: 'Plata' },
  created_at: '2026-03-02T10:15:00.000Z',
}

export const exampleExport = {
  exported_at: '2026-11-20T12:00:00.000Z',
  customer: exampleCustomer,
  former_addresses: [],
  reservations: [],
  points: [],
  messages: [],
  suppressions: [],
  audit: [{ action: 'customer.exported', details: {}, created_at: '2026-11-20T12:00:00.000Z' }],
}
