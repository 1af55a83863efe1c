import { KNOWN_UNTIL, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const ID = 'b0000000-0000-4000-8000-000000000001'
const OTHER_ID = 'b0000000-0000-4000-8000-000000000002'
const BRAND = '/api/brands/{id}'
const LOCATION = '/api/locations/{id}'
const NAME = { name: 'Casa Contrato' }

const alfa = ({ location }: { location: (name: string) => string }) => place(location('Alfa'), 'Alfa')
const place = (id: unknown, name: string, changes: object = {}) => ({
  id,
  name,
  city: null,
  address: null,
  brand_id: UUID,
  pms_id: name.toLowerCase(),
  timezone: 'Europe/Madrid',
  average_spend_per_guest: 30,
  count_unmarked_visits: true,
  quiet_from: null,
  quiet_until: null,
  is_active: true,
  stay_minutes: null,
  review_urls: [],
  known_until: KNOWN_UNTIL,
  ...changes,
})
const casa = place(ID, NAME.name, { brand_id: null, pms_id: null, average_spend_per_guest: null })
const brand = given('brands', () => ({ id: ID, ...NAME, slug: 'casa-contrato' }))
const venue = given('locations', () => ({ id: ID, ...NAME }))
const noVenue = afterwards(`delete from public.locations where name = 'Casa Contrato'`)
const noBrand = afterwards(`delete from public.brands where slug = 'casa-contrato'`)

/** Brands and locations. */
export const placeRows: Row[] = [
  {
    name: 'gives it to any role',
    section: 'our own: brands',
    as: 'rrhh',
    request: { operation: 'GET /api/brands' },
    answers: {
      status: 200,
      body: {
        data: [{ id: UUID, name: 'Grupo Averías', slug: TEXT, postal_address: null }],
        next_cursor: null,
      },
    },
  },
  {
    name: 'refuses a limit that is not a number',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: 'GET /api/brands', query: '?limit=x' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'adds it',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: 'POST /api/brands', body: NAME },
    arrange: noBrand,
    answers: {
      status: 201,
      body: { data: { id: UUID, ...NAME, slug: 'casa-contrato', postal_address: null } },
    },
  },
  {
    name: 'refuses a body without a name',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: 'POST /api/brands', body: {} },
    answers: { status: 400, body: about('name') },
  },
  {
    name: 'refuses a slug that is taken',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: 'POST /api/brands', body: NAME },
    arrange: brand,
    answers: { status: 409, body: { error: 'Already exists' } },
  },
  {
    name: 'changes it',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: `PATCH ${BRAND}`, id: ID, body: { name: 'Contrato', postal_address: 'Rúa 1' } },
    arrange: brand,
    answers: {
      status: 200,
      body: { data: { id: ID, name: 'Contrato', slug: 'casa-contrato', postal_address: 'Rúa 1' } },
    },
  },
  {
    name: 'refuses a malformed slug',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: `PATCH ${BRAND}`, id: ID, body: { slug: 'Ñ' } },
    answers: { status: 400, body: about('slug') },
  },
  {
    name: 'refuses a slug that is taken',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: `PATCH ${BRAND}`, id: ID, body: { slug: 'otra-contrato' } },
    arrange: all(
      brand,
      given('brands', () => ({
        id: OTHER_ID,
        name: 'Otra',
        slug: 'otra-contrato',
      })),
    ),
    answers: { status: 409, body: { error: 'Already exists' } },
  },
  {
    name: 'deletes a brand without locations',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: `DELETE ${BRAND}`, id: ID },
    arrange: brand,
    answers: { status: 204 },
  },
  {
    name: 'refuses to delete a brand with locations',
    section: 'our own: brands',
    as: 'admin',
    request: { operation: `DELETE ${BRAND}`, id: ID },
    arrange: all(
      brand,
      given('locations', () => ({ id: ID, ...NAME, brand_id: ID })),
    ),
    answers: {
      status: 409,
      body: {
        error: 'The brand has locations: give them another one first',
      },
    },
  },

  {
    name: 'lists the one location where the person works',
    section: 'our own: locations',
    as: 'bound',
    request: { operation: 'GET /api/locations' },
    answers: {
      status: 200,
      body: (world) => ({
        data: [alfa(world)],
        next_cursor: null,
      }),
    },
  },
  {
    name: 'lists every location',
    section: 'our own: locations',
    as: 'rrhh',
    request: { operation: 'GET /api/locations' },
    answers: {
      status: 200,
      body: ({ location }) => ({
        data: ['Alfa', 'Bravo', 'Charlie'].map((name) => place(location(name), name)),
        next_cursor: null,
      }),
    },
  },
  {
    name: 'refuses a limit that is not a number',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: 'GET /api/locations', query: '?limit=x' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'adds it',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: 'POST /api/locations', body: { ...NAME, city: 'Madrid' } },
    arrange: noVenue,
    answers: { status: 201, body: { data: { ...casa, id: UUID, city: 'Madrid' } } },
  },
  {
    name: 'refuses a body without a name',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: 'POST /api/locations', body: { city: 'Madrid' } },
    answers: { status: 400, body: about('name') },
  },
  {
    name: 'refuses an unknown brand',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: 'POST /api/locations', body: { ...NAME, brand_id: ID } },
    answers: { status: 400, body: { error: 'brand_id: unknown brand' } },
  },
  {
    name: 'refuses a name that is taken',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: 'POST /api/locations', body: { name: 'Alfa' } },
    answers: {
      status: 409,
      body: {
        error: 'A location with this name exists already',
      },
    },
  },
  {
    name: 'gives it',
    section: 'our own: locations',
    as: 'rrhh',
    request: { operation: `GET ${LOCATION}`, id: ({ location }) => location('Alfa') },
    answers: { status: 200, body: (world) => ({ data: alfa(world) }) },
  },
  {
    name: 'finds nothing in a location where the person does not work',
    section: 'our own: locations',
    as: 'bound',
    request: { operation: `GET ${LOCATION}`, id: ({ location }) => location('Bravo') },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'changes it',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `PATCH ${LOCATION}`, id: ID, body: { average_spend_per_guest: 35.5 } },
    arrange: venue,
    answers: { status: 200, body: { data: { ...casa, average_spend_per_guest: 35.5 } } },
  },
  {
    name: 'stops counting unmarked visits',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `PATCH ${LOCATION}`, id: ID, body: { count_unmarked_visits: false } },
    arrange: venue,
    answers: { status: 200, body: { data: { ...casa, count_unmarked_visits: false } } },
  },
  {
    name: 'takes public review pages',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `PATCH ${LOCATION}`, id: ID, body: { review_urls: ['https://g.page/r/x'] } },
    arrange: venue,
    answers: { status: 200, body: { data: { ...casa, review_urls: ['https://g.page/r/x'] } } },
  },
  {
    name: 'refuses a review page that is no https address',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `PATCH ${LOCATION}`, id: ID, body: { review_urls: ['javascript:alert(1)'] } },
    arrange: venue,
    answers: { status: 400, body: about('review_urls.0') },
  },
  {
    name: 'refuses an unknown time zone',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `PATCH ${LOCATION}`, id: ID, body: { timezone: 'Europe/Chamberi' } },
    answers: { status: 400, body: about('timezone') },
  },
  {
    name: 'refuses a name that is taken',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `PATCH ${LOCATION}`, id: ID, body: { name: 'Alfa' } },
    arrange: venue,
    answers: {
      status: 409,
      body: {
        error: 'A location with this name exists already',
      },
    },
  },
  {
    name: 'deletes a location on which nothing depends',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `DELETE ${LOCATION}`, id: ID },
    arrange: venue,
    answers: { status: 204 },
  },
  {
    name: 'refuses to delete a location with assigned people',
    section: 'our own: locations',
    as: 'admin',
    request: { operation: `DELETE ${LOCATION}`, id: ({ location }) => location('Alfa') },
    answers: {
      status: 409,
      body: {
        error: 'The location has reservations or assigned people: deactivate it instead',
      },
    },
  },
]
