import { expect } from 'vitest'
import { ISO, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = 'c0000000-0000-4000-8000-000000000001'
const TWIN = 'c0000000-0000-4000-8000-000000000002'
const ONE = '/api/customers/{id}'
const EXPORT = `GET ${ONE}/export`
const MERGE = `POST ${ONE}/merge`
const LEDGER = `GET ${ONE}/points`
const POINTS = `POST ${ONE}/points`
const BY_ID = [`GET ${ONE}`, `PATCH ${ONE}`, `DELETE ${ONE}`, MERGE, LEDGER, POINTS]
const LIST_EXPORT = 'GET /api/customers/export'
const TAGS = 'GET /api/customers/tags'
const ALL = [
  'GET /api/customers',
  'POST /api/customers',
  LIST_EXPORT,
  TAGS,
  EXPORT,
  ...BY_ID,
  'GET /api/customers/duplicates',
]

const ana = {
  email: 'ana@contrato.example',
  phone: '+34699000111',
  first_name: 'Ana',
  last_name: 'Ruiz',
  birth_date: '1990-09-05',
  company: 'Olmo SL',
  job_title: 'Jefa',
  address: 'Calle Mayor 1',
  tags: ['contrato'],
  source: 'Manual',
  notes: null,
}
const nothing = {
  ...{ basis: 'none', source: null, at: null, author: null, reason: null },
  opted_out: false,
}
const consent = { whatsapp: nothing, sms: nothing, email: nothing }
const stored = {
  ...ana,
  whatsapp_id: null,
  location_id: null,
  total_visits: 0,
  total_spend: 0,
  spend_is_estimate: false,
  points: 0,
  last_visit_at: null,
}
const shown = (id: unknown, changes: object = {}) => ({
  id,
  ...stored,
  loyalty_tier: null,
  created_at: ISO,
  consent,
  ...changes,
})
const blank = (changes: object) =>
  shown(UUID, {
    ...Object.fromEntries(Object.keys(ana).map((field) => [field, null])),
    tags: [],
    source: 'Manual',
    ...changes,
  })
const forgotten = (id: string) => afterwards(`delete from public.audit_log where subject_id = '${id}'`)
const existing = all(
  forgotten(ID),
  given('customers', () => ({ id: ID, ...stored })),
)
const twin = all(
  forgotten(TWIN),
  given('customers', () => ({
    id: TWIN,
    first_name: 'Ana',
    email: 'ana2@contrato.example',
    tags: ['copia'],
  })),
)
const tidy = afterwards(`delete from public.customers where email like '%@contrato.example'`)
const gift = { kind: 'adjusted', points: 5, reason: 'Cumpleaños' }
const entry = {
  id: UUID,
  ...gift,
  reservation_id: null,
  reservation_date: null,
  amount: null,
  multiplier: null,
  author: expect.any(String),
  created_at: ISO,
}
const taken = { error: 'A customer with this e-mail exists' }

const customer = cases('decisions §8: customers', 'operaciones')

/** Customers: the list, one of them, the rights of the GDPR, duplicates. */
export const customerRows: Row[] = [
  ...signedOut(ALL),
  ...notFor('rrhh', 'canAccessClientes', ALL),
  ...byId([EXPORT], { as: 'ceo', id: ID, given: existing }),
  ...notFor('marketing', 'exports of a person', [EXPORT]),
  ...byId(BY_ID, {
    as: 'operaciones',
    id: ID,
    given: existing,
    json: { [`PATCH ${ONE}`]: { notes: 'x' }, [MERGE]: { duplicate_id: TWIN }, [POINTS]: gift },
  }),
  customer(
    'one has the tag',
    'GET /api/customers',
    200,
    { data: [shown(ID)], next_cursor: null },
    {
      query: '?tag=contrato',
      arrange: existing,
    },
  ),
  customer(
    'nobody matches',
    'GET /api/customers',
    200,
    { data: [], next_cursor: null },
    {
      query: '?search=nadie-se-llama-asi',
    },
  ),
  customer('the limit is out of range', 'GET /api/customers', 400, about('limit'), { query: '?limit=201' }),
  customer(
    'the cursor is none of ours',
    'GET /api/customers',
    400,
    { error: 'Malformed cursor' },
    {
      query: '?cursor=x',
    },
  ),
  customer('it is downloaded', LIST_EXPORT, 200, undefined, {
    query: '?tag=contrato',
    headers: {
      'content-disposition': `attachment; filename="customers-${new Date().toISOString().slice(0, 10)}.csv"`,
    },
    arrange: all(
      existing,
      afterwards(
        `delete from public.audit_log where action in ('customers.exported', 'customers.export_ended')`,
      ),
    ),
  }),
  customer('the order is unknown', LIST_EXPORT, 400, about('sort'), { query: '?sort=tier' }),
  customer(
    'one has the tag',
    TAGS,
    200,
    { data: [{ tag: 'contrato', customers: 1 }], next_cursor: null },
    {
      as: 'stranger',
      arrange: given('customers', ({ other }) => ({ id: ID, organization_id: other.id, ...stored })),
    },
  ),
  customer('the segment is unknown', 'GET /api/customers', 400, about('segment'), { query: '?segment=all' }),
  customer(
    'it is created',
    'POST /api/customers',
    201,
    {
      data: blank({ email: ana.email, phone: ana.phone, first_name: 'Ana', tags: ['contrato'] }),
    },
    {
      json: { email: ' Ana@Contrato.example ', phone: '699 000 111', first_name: 'Ana', tags: ['contrato'] },
      arrange: tidy,
    },
  ),
  customer(
    'nothing says who it is',
    'POST /api/customers',
    400,
    {
      error: 'A customer needs an e-mail, a phone or a name',
    },
    { json: {} },
  ),
  customer('the e-mail is none', 'POST /api/customers', 400, about('email'), { json: { email: 'ana' } }),
  customer(
    'the JSON is malformed',
    'POST /api/customers',
    400,
    { error: 'Malformed JSON' },
    { json: '{"a": ' },
  ),
  customer(
    'the location is another organization’s',
    'POST /api/customers',
    400,
    {
      error: 'location_id: Unknown location',
    },
    { json: ({ location }) => ({ first_name: 'Ana', location_id: location('Este') }) },
  ),
  customer('the e-mail is another customer’s', 'POST /api/customers', 409, taken, {
    json: { email: ana.email },
    arrange: existing,
  }),
  customer('it is there', `GET ${ONE}`, 200, { data: shown(ID) }, { id: ID, arrange: existing }),
  customer(
    'it changes',
    `PATCH ${ONE}`,
    200,
    { data: shown(ID, { notes: 'Alérgica', company: null }) },
    {
      id: ID,
      json: { notes: 'Alérgica', company: '' },
      arrange: existing,
    },
  ),
  customer(
    'a consent is recorded',
    `PATCH ${ONE}`,
    200,
    {
      data: shown(ID, {
        consent: {
          ...consent,
          email: {
            basis: 'opt_in',
            source: 'staff',
            at: ISO,
            author: TEXT,
            reason: 'Firmó',
            opted_out: false,
          },
        },
      }),
    },
    {
      id: ID,
      json: { consent: { email: { basis: 'opt_in', reason: 'Firmó' } } },
      arrange: existing,
    },
  ),
  customer('a consent has no reason', `PATCH ${ONE}`, 400, about('consent.email.reason'), {
    id: ID,
    json: { consent: { email: { opted_out: true } } },
    arrange: existing,
  }),
  customer(
    'they have no address to opt out',
    `PATCH ${ONE}`,
    400,
    { error: 'consent.sms: The customer has no address for it' },
    { id: TWIN, json: { consent: { sms: { opted_out: true, reason: 'x' } } }, arrange: twin },
  ),
  customer(
    'the address to opt in complained',
    `PATCH ${ONE}`,
    409,
    { error: 'consent.email: The address bounced or complained' },
    {
      id: ID,
      json: { consent: { email: { opted_out: false, reason: 'x' } } },
      arrange: all(
        existing,
        given('suppressions', () => ({
          id: TWIN,
          ...{ channel: 'email', address: ana.email, reason: 'complaint' },
        })),
      ),
    },
  ),
  customer('the consent asked for is none', 'GET /api/customers', 400, about('consent'), {
    query: '?consent=email:maybe',
  }),
  customer('a field is unknown', `PATCH ${ONE}`, 400, about('body'), {
    id: ID,
    json: { total_spend: 5 },
    arrange: existing,
  }),
  customer('the e-mail is another customer’s', `PATCH ${ONE}`, 409, taken, {
    id: TWIN,
    json: { email: ana.email },
    arrange: all(existing, twin),
  }),
  customer('it is erased', `DELETE ${ONE}`, 204, undefined, { id: ID, arrange: existing }),
  customer(
    'it is there',
    EXPORT,
    200,
    {
      exported_at: ISO,
      customer: shown(ID),
      recorded_consents: {},
      former_addresses: [],
      former_names: [],
      reservations: [],
      points: [],
      messages: [],
      tickets: [],
      calendar_events: [],
      suppressions: [],
      whatsapp_windows: [],
      audit: [{ action: 'customer.exported', details: {}, created_at: ISO }],
    },
    {
      as: 'ceo',
      id: ID,
      headers: { 'content-disposition': `attachment; filename="customer-${ID}.json"` },
      arrange: existing,
    },
  ),
  customer(
    'the duplicate is merged into it',
    MERGE,
    200,
    {
      data: shown(ID, { tags: ['contrato', 'copia'] }),
    },
    { id: ID, json: { duplicate_id: TWIN }, arrange: all(existing, twin) },
  ),
  customer(
    'the duplicate is not there',
    MERGE,
    404,
    { error: 'Not found' },
    {
      id: ID,
      json: { duplicate_id: TWIN },
      arrange: existing,
    },
  ),
  customer(
    'both are the same',
    MERGE,
    400,
    { error: 'duplicate_id: Must be another customer' },
    {
      id: ID,
      json: { duplicate_id: ID },
      arrange: existing,
    },
  ),
  customer(
    'there are no entries',
    LEDGER,
    200,
    { data: [], next_cursor: null },
    { id: ID, arrange: existing },
  ),
  customer(
    'the cursor is none of ours',
    LEDGER,
    400,
    { error: 'Malformed cursor' },
    { id: ID, query: '?cursor=x', arrange: existing },
  ),
  customer(
    'they are adjusted',
    POINTS,
    201,
    { data: { entry, balance: 5 } },
    { id: ID, json: gift, arrange: existing },
  ),
  customer(
    'there are fewer',
    POINTS,
    409,
    { error: 'Not enough points' },
    { id: ID, json: { ...gift, kind: 'redeemed' }, arrange: existing },
  ),
  customer('the reason is missing', POINTS, 400, about('reason'), {
    id: ID,
    json: { kind: 'adjusted', points: 5 },
    arrange: existing,
  }),
  customer('what is redeemed is negative', POINTS, 400, about('points'), {
    id: ID,
    json: { ...gift, kind: 'redeemed', points: -5 },
    arrange: existing,
  }),
  customer('the duplicate is missing', MERGE, 400, about('duplicate_id'), { id: ID, json: {} }),
  customer(
    'two share phone and name',
    'GET /api/customers/duplicates',
    200,
    {
      data: [
        {
          reason: 'phone',
          customers: [shown(ID), shown(TWIN, { email: null, birth_date: null })],
        },
      ],
      next_cursor: null,
    },
    {
      as: 'stranger',
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
    },
  ),
  customer(
    'there are none',
    'GET /api/customers/duplicates',
    200,
    { data: [], next_cursor: null },
    {
      as: 'stranger',
    },
  ),
  customer('the limit is out of range', 'GET /api/customers/duplicates', 400, about('limit'), {
    query: '?limit=0',
  }),
]
