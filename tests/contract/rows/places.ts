import { KNOWN_UNTIL, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = 'b0000000-0000-4000-8000-000000000001'
const OTHER_ID = 'b0000000-0000-4000-8000-000000000002'
const BRAND = '/api/brands/{id}'
const LOCATION = '/api/locations/{id}'
const BRANDS_BY_ID = [`PATCH ${BRAND}`, `DELETE ${BRAND}`]
const LOCATION_CHANGES = [`PATCH ${LOCATION}`, `DELETE ${LOCATION}`]
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
  is_active: true,
  known_until: KNOWN_UNTIL,
  ...changes,
})
const casa = place(ID, NAME.name, { brand_id: null, pms_id: null, average_spend_per_guest: null })
const brand = given('brands', () => ({ id: ID, ...NAME, slug: 'casa-contrato' }))
const venue = given('locations', () => ({ id: ID, ...NAME }))
const noVenue = afterwards(`delete from public.locations where name = 'Casa Contrato'`)
const noBrand = afterwards(`delete from public.brands where slug = 'casa-contrato'`)

const brands = cases('decisions §8: brands', 'admin')
const locations = cases('decisions §8: locations', 'admin')

/** Brands and locations. */
export const placeRows: Row[] = [
  ...signedOut([
    'GET /api/brands',
    'POST /api/brands',
    ...BRANDS_BY_ID,
    'GET /api/locations',
    'POST /api/locations',
    `GET ${LOCATION}`,
    ...LOCATION_CHANGES,
  ]),
  ...notFor('ceo', 'canViewSettings', [
    'POST /api/brands',
    ...BRANDS_BY_ID,
    'POST /api/locations',
    ...LOCATION_CHANGES,
  ]),
  ...byId(BRANDS_BY_ID, { as: 'admin', id: ID, given: brand, json: { [`PATCH ${BRAND}`]: NAME } }),
  ...byId([`GET ${LOCATION}`, ...LOCATION_CHANGES], {
    as: 'admin',
    id: ID,
    given: venue,
    json: { [`PATCH ${LOCATION}`]: { city: 'Madrid' } },
  }),
  brands(
    'anyone asks',
    'GET /api/brands',
    200,
    {
      data: [{ id: UUID, name: 'Grupo Averías', slug: TEXT }],
      next_cursor: null,
    },
    { as: 'rrhh' },
  ),
  brands('the limit is none', 'GET /api/brands', 400, about('limit'), { query: '?limit=x' }),
  brands(
    'it is added',
    'POST /api/brands',
    201,
    { data: { id: UUID, ...NAME, slug: 'casa-contrato' } },
    {
      json: NAME,
      arrange: noBrand,
    },
  ),
  brands('the name is missing', 'POST /api/brands', 400, about('name'), { json: {} }),
  brands(
    'the slug is taken',
    'POST /api/brands',
    409,
    { error: 'Already exists' },
    {
      json: NAME,
      arrange: brand,
    },
  ),
  brands(
    'it changes',
    `PATCH ${BRAND}`,
    200,
    { data: { id: ID, name: 'Contrato', slug: 'casa-contrato' } },
    {
      id: ID,
      json: { name: 'Contrato' },
      arrange: brand,
    },
  ),
  brands('the slug is none', `PATCH ${BRAND}`, 400, about('slug'), { id: ID, json: { slug: 'Ñ' } }),
  brands(
    'the slug is taken',
    `PATCH ${BRAND}`,
    409,
    { error: 'Already exists' },
    {
      id: ID,
      json: { slug: 'otra-contrato' },
      arrange: all(
        brand,
        given('brands', () => ({
          id: OTHER_ID,
          name: 'Otra',
          slug: 'otra-contrato',
        })),
      ),
    },
  ),
  brands('it has no locations', `DELETE ${BRAND}`, 204, undefined, { id: ID, arrange: brand }),
  brands(
    'it has locations',
    `DELETE ${BRAND}`,
    409,
    {
      error: 'The brand has locations: give them another one first',
    },
    {
      id: ID,
      arrange: all(
        brand,
        given('locations', () => ({ id: ID, ...NAME, brand_id: ID })),
      ),
    },
  ),

  locations(
    'someone works in one',
    'GET /api/locations',
    200,
    (world) => ({
      data: [alfa(world)],
      next_cursor: null,
    }),
    { as: 'bound' },
  ),
  locations(
    'someone works in all',
    'GET /api/locations',
    200,
    ({ location }) => ({
      data: ['Alfa', 'Bravo', 'Charlie'].map((name) => place(location(name), name)),
      next_cursor: null,
    }),
    { as: 'rrhh' },
  ),
  locations('the limit is none', 'GET /api/locations', 400, about('limit'), { query: '?limit=x' }),
  locations(
    'it is added',
    'POST /api/locations',
    201,
    { data: { ...casa, id: UUID, city: 'Madrid' } },
    {
      json: { ...NAME, city: 'Madrid' },
      arrange: noVenue,
    },
  ),
  locations('the name is missing', 'POST /api/locations', 400, about('name'), { json: { city: 'Madrid' } }),
  locations(
    'the brand is unknown',
    'POST /api/locations',
    400,
    { error: 'brand_id: unknown brand' },
    {
      json: { ...NAME, brand_id: ID },
    },
  ),
  locations(
    'the name is taken',
    'POST /api/locations',
    409,
    {
      error: 'A location with this name exists already',
    },
    { json: { name: 'Alfa' } },
  ),
  locations('it is there', `GET ${LOCATION}`, 200, (world) => ({ data: alfa(world) }), {
    as: 'rrhh',
    id: ({ location }) => location('Alfa'),
  }),
  locations(
    'the caller does not work in it',
    `GET ${LOCATION}`,
    404,
    { error: 'Not found' },
    {
      as: 'bound',
      id: ({ location }) => location('Bravo'),
    },
  ),
  locations(
    'it changes',
    `PATCH ${LOCATION}`,
    200,
    { data: { ...casa, average_spend_per_guest: 35.5 } },
    {
      id: ID,
      json: { average_spend_per_guest: 35.5 },
      arrange: venue,
    },
  ),
  locations(
    'it counts no unmarked visits',
    `PATCH ${LOCATION}`,
    200,
    { data: { ...casa, count_unmarked_visits: false } },
    { id: ID, json: { count_unmarked_visits: false }, arrange: venue },
  ),
  locations('the time zone is unknown', `PATCH ${LOCATION}`, 400, about('timezone'), {
    id: ID,
    json: { timezone: 'Europe/Chamberi' },
  }),
  locations(
    'the name is taken',
    `PATCH ${LOCATION}`,
    409,
    {
      error: 'A location with this name exists already',
    },
    { id: ID, json: { name: 'Alfa' }, arrange: venue },
  ),
  locations('nothing depends on it', `DELETE ${LOCATION}`, 204, undefined, { id: ID, arrange: venue }),
  locations(
    'someone is assigned to it',
    `DELETE ${LOCATION}`,
    409,
    {
      error: 'The location has reservations or assigned people: deactivate it instead',
    },
    { id: ({ location }) => location('Alfa') },
  ),
]
