import { csvOfToday, ISO, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about, editedMeanwhile } from './cases'

export const ID = 'c0000000-0000-4000-8000-000000000001'
export const TWIN = 'c0000000-0000-4000-8000-000000000002'
const ONE = '/api/customers/{id}'
const EXPORT = `GET ${ONE}/export`
export const MERGE = `POST ${ONE}/merge`
export const LEDGER = `GET ${ONE}/points`
export const POINTS = `POST ${ONE}/points`
export const FACTS = `GET ${ONE}/facts`
export const RECORD = `PUT ${ONE}/facts`
const LIST_EXPORT = 'GET /api/customers/export'
const TAGS = 'GET /api/customers/tags'
const CITIES = 'GET /api/customers/cities'

const ana = {
  email: 'ana@contrato.example',
  phone: '+34699000111',
  first_name: 'Ana',
  last_name: 'Ruiz',
  birth_date: '1990-09-05',
  company: 'Olmo SL',
  job_title: 'Jefa',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
  language: 'en',
  tags: ['contrato'],
  source: 'Manual',
  notes: null,
}
const nothing = {
  ...{ basis: 'none', source: null, at: null, author: null, reason: null },
  opted_out: false,
}
const consent = { whatsapp: nothing, sms: nothing, email: nothing }
export const stored = {
  ...ana,
  whatsapp_id: null,
  location_id: null,
  total_visits: 0,
  total_spend: 0,
  spend_is_estimate: false,
  points: 0,
  last_visit_at: null,
  last_visit_on: null,
}
export const shown = (id: unknown, changes: object = {}) => ({
  id,
  ...stored,
  loyalty_tier: null,
  created_at: ISO,
  consent,
  allergies: [] as string[],
  write_frequency: null,
  muted_brands: [] as string[],
  emails: [] as string[],
  phones: [] as string[],
  ...changes,
})
// Its facts say the allergies.
const { allergies: _, ...exported } = shown(ID)
const blank = (changes: object) =>
  shown(UUID, {
    ...Object.fromEntries(Object.keys(ana).map((field) => [field, null])),
    tags: [],
    source: 'Manual',
    ...changes,
  })
const forgotten = (id: string) => afterwards(`delete from public.audit_log where subject_id = '${id}'`)
export const existing = all(
  forgotten(ID),
  given('customers', () => ({ id: ID, ...stored })),
)
export const twin = all(
  forgotten(TWIN),
  given('customers', () => ({
    id: TWIN,
    first_name: 'Ana',
    email: 'ana2@contrato.example',
    tags: ['copia'],
  })),
)
const tidy = afterwards(`delete from public.customers where email like '%@contrato.example'`)
export const gift = { kind: 'adjusted', points: 5, reason: 'Cumpleaños' }
const taken = { error: 'A customer with this e-mail exists' }

/** Customers: the list, one of them, the rights of the GDPR. */
export const customerRows: Row[] = [
  editedMeanwhile(`PATCH ${ONE}`, 'notes', { as: 'operaciones', id: ID, given: existing }),
  {
    name: 'lists the customers with a tag',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers', query: '?tag=contrato' },
    arrange: existing,
    answers: { status: 200, body: { data: [shown(ID)], next_cursor: null } },
  },
  {
    name: 'lists none when none matches',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers', query: '?search=nadie-se-llama-asi' },
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers', query: '?limit=201' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'refuses a malformed cursor',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers', query: '?cursor=x' },
    answers: { status: 400, body: { error: 'Malformed cursor' } },
  },
  {
    name: 'gives the list as a file',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LIST_EXPORT, query: '?tag=contrato' },
    arrange: all(
      existing,
      afterwards(
        `delete from public.audit_log where action in ('customers.exported', 'customers.export_ended')`,
      ),
    ),
    answers: {
      status: 200,
      headers: csvOfToday('customers'),
    },
  },
  {
    name: 'refuses an unknown order',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LIST_EXPORT, query: '?sort=tier' },
    answers: { status: 400, body: about('sort') },
  },
  {
    name: 'counts the customers of a tag',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: TAGS },
    arrange: given('customers', ({ other }) => ({ id: ID, organization_id: other.id, ...stored })),
    answers: { status: 200, body: { data: [{ tag: 'contrato', customers: 1 }], next_cursor: null } },
  },
  {
    name: 'lists the cities that begin so',
    section: 'our own: customers',
    as: 'stranger',
    request: { operation: CITIES, query: '?search=MAD' },
    arrange: given('customers', ({ other }) => ({ id: ID, organization_id: other.id, ...stored })),
    answers: { status: 200, body: { data: [{ city: 'Madrid' }], next_cursor: null } },
  },
  {
    name: 'refuses an unknown segment',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers', query: '?segment=all' },
    answers: { status: 400, body: about('segment') },
  },
  {
    name: 'creates it',
    section: 'our own: customers',
    as: 'operaciones',
    request: {
      operation: 'POST /api/customers',
      body: { email: ' Ana@Contrato.example ', phone: '699 000 111', first_name: 'Ana', tags: ['contrato'] },
    },
    arrange: tidy,
    answers: {
      status: 201,
      body: {
        data: blank({ email: ana.email, phone: ana.phone, first_name: 'Ana', tags: ['contrato'] }),
      },
    },
  },
  {
    name: 'refuses a customer without e-mail, phone and name',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'POST /api/customers', body: {} },
    answers: {
      status: 400,
      body: {
        error: 'A customer needs an e-mail, a phone or a name',
      },
    },
  },
  {
    name: 'refuses a malformed e-mail',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'POST /api/customers', body: { email: 'ana' } },
    answers: { status: 400, body: about('email') },
  },
  {
    name: 'refuses malformed JSON',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'POST /api/customers', body: '{"a": ' },
    answers: { status: 400, body: { error: 'Malformed JSON' } },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: customers',
    as: 'operaciones',
    request: {
      operation: 'POST /api/customers',
      body: ({ location }) => ({ first_name: 'Ana', location_id: location('Este') }),
    },
    answers: {
      status: 400,
      body: {
        error: 'location_id: Unknown location',
      },
    },
  },
  {
    name: 'refuses the e-mail of another customer',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'POST /api/customers', body: { email: ana.email } },
    arrange: existing,
    answers: { status: 409, body: taken },
  },
  {
    name: 'gives it',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: existing,
    answers: { status: 200, body: { data: shown(ID) } },
  },
  {
    name: 'changes it',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { notes: 'Alérgica', company: '' } },
    arrange: existing,
    answers: { status: 200, body: { data: shown(ID, { notes: 'Alérgica', company: null }) } },
  },
  {
    name: 'replaces the further e-mails and phones, without the first and doubles',
    section: 'our own: customers',
    as: 'operaciones',
    request: {
      operation: `PATCH ${ONE}`,
      id: ID,
      body: { emails: ['B@Contrato.example', ana.email, 'b@contrato.example'], phones: ['912 345 678'] },
    },
    arrange: existing,
    answers: {
      status: 200,
      body: { data: shown(ID, { emails: ['b@contrato.example'], phones: ['+34912345678'] }) },
    },
  },
  {
    name: 'refuses a further phone of another customer',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: TWIN, body: { phones: ['912345678', ana.phone] } },
    arrange: all(existing, twin),
    answers: { status: 409, body: { error: `Another customer has ${ana.phone}` } },
  },
  {
    name: 'refuses a further e-mail that is none',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'POST /api/customers', body: { first_name: 'Ana', emails: ['b@contrato'] } },
    answers: { status: 400, body: about('emails.0') },
  },
  {
    name: 'records a consent',
    section: 'our own: customers',
    as: 'operaciones',
    request: {
      operation: `PATCH ${ONE}`,
      id: ID,
      body: { consent: { email: { basis: 'opt_in', reason: 'Firmó' } } },
    },
    arrange: existing,
    answers: {
      status: 200,
      body: {
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
    },
  },
  {
    name: 'refuses a consent without a reason',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { consent: { email: { opted_out: true } } } },
    arrange: existing,
    answers: { status: 400, body: about('consent.email.reason') },
  },
  {
    name: 'refuses to opt out a customer without an address',
    section: 'our own: customers',
    as: 'operaciones',
    request: {
      operation: `PATCH ${ONE}`,
      id: TWIN,
      body: { consent: { sms: { opted_out: true, reason: 'x' } } },
    },
    arrange: twin,
    answers: { status: 400, body: { error: 'consent.sms: The customer has no address for it' } },
  },
  {
    name: 'refuses to opt in an address that complained',
    section: 'our own: customers',
    as: 'operaciones',
    request: {
      operation: `PATCH ${ONE}`,
      id: ID,
      body: { consent: { email: { opted_out: false, reason: 'x' } } },
    },
    arrange: all(
      existing,
      given('suppressions', () => ({
        id: TWIN,
        ...{ channel: 'email', address: ana.email, reason: 'complaint' },
      })),
    ),
    answers: { status: 409, body: { error: 'consent.email: The address bounced or complained' } },
  },
  {
    name: 'refuses an unknown consent',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: 'GET /api/customers', query: '?consent=email:maybe' },
    answers: { status: 400, body: about('consent') },
  },
  {
    name: 'refuses an unknown field',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { total_spend: 5 } },
    arrange: existing,
    answers: { status: 400, body: about('body') },
  },
  {
    name: 'refuses the e-mail of another customer',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: TWIN, body: { email: ana.email } },
    arrange: all(existing, twin),
    answers: { status: 409, body: taken },
  },
  {
    name: 'erases it',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: `DELETE ${ONE}`, id: ID },
    arrange: existing,
    answers: { status: 204 },
  },
  {
    name: 'gives it',
    section: 'our own: customers',
    as: 'ceo',
    request: { operation: EXPORT, id: ID },
    arrange: existing,
    answers: {
      status: 200,
      headers: { 'content-disposition': `attachment; filename="customer-${ID}.json"` },
      body: {
        exported_at: ISO,
        customer: exported,
        recorded_consents: {},
        feedback: [],
        conversations: [],
        former_addresses: [],
        former_names: [],
        facts: [],
        merges: [],
        rhythm: null,
        reservations: [],
        points: [],
        control_groups: [],
        messages: [],
        waitlist: [],
        tickets: [],
        calendar_events: [],
        suppressions: [],
        whatsapp_windows: [],
        audit: [{ action: 'customer.exported', details: {}, created_at: ISO }],
      },
    },
  },
]
