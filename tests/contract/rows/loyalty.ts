import { expect } from 'vitest'
import { COUNT, error, NOWHERE, type Row, TEXT, UUID, withoutFunction } from '../row'
import { limited } from './arrange'
import { about, cases, notFor, signedOut } from './cases'

const DEFAULT = {
  tiers: [
    { name: 'Bronce', min_spend: 0, points_multiplier: 1 },
    { name: 'Plata', min_spend: 1000, points_multiplier: 1.2 },
    { name: 'Oro', min_spend: 2500, points_multiplier: 1.5 },
    { name: 'Platino', min_spend: 5000, points_multiplier: 2 },
  ],
}
const OWN = {
  tiers: DEFAULT.tiers.map((tier) => (tier.name === 'Plata' ? { ...tier, min_spend: 900 } : tier)),
}
const forget = async ({ stack }: Parameters<NonNullable<Row['arrange']>>[0]) => {
  await stack.sql('delete from public.loyalty_configs')
  return () => stack.sql('delete from public.loyalty_configs')
}
const GRID = ['PATCH /api/loyalty/rules', 'POST /api/loyalty/preview']
const grid = cases('decisions §4: loyalty rules of several locations', 'marketing')
const withRule = async ({ stack, location, tier }: Parameters<NonNullable<Row['arrange']>>[0]) => {
  const where = [location('Alfa'), tier('Oro')]
  await stack.sql(
    'insert into public.loyalty_rules (location_id, tier_id, min_spend, min_visits) values ($1, $2, 900.5, 4)',
    where,
  )
  return () => stack.sql('delete from public.loyalty_rules where location_id = $1 and tier_id = $2', where)
}

/** Rules, programme, tiers, recalculation. */
export const loyaltyRows: Row[] = [
  {
    section: 'POST /api/loyalty/rules',
    when: 'the location is the organization’s; a missing or falsy value is 0',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    send: ({ location, tier }) => ({
      body: { locationId: location('Alfa'), rules: [{ tier_id: tier('Plata'), min_spend: 100 }] },
    }),
    status: 200,
    body: () => ({ success: true }),
  },
  {
    section: 'Errors: 401 loyalty/rules without session',
    when: 'there is no session',
    as: 'nobody',
    call: 'POST /api/loyalty/rules',
    send: ({ location }) => ({ body: { locationId: location('Alfa'), rules: [] } }),
    status: 401,
    body: error('No autorizado'),
  },
  {
    section: 'Errors: 400 loyalty/rules incomplete body',
    when: 'the rules are missing',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    send: ({ location }) => ({ body: { locationId: location('Alfa') } }),
    status: 400,
    body: error('Datos incompletos'),
  },
  {
    section: 'Errors: 400 loyalty/rules incomplete body',
    when: 'the JSON is malformed',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    send: () => ({ body: '{"locationId": ' }),
    status: 400,
    body: error('Datos incompletos'),
  },
  {
    section: 'decisions §4: unknown tier or negative number',
    when: 'a number is negative',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    send: ({ location, tier }) => ({
      body: { locationId: location('Alfa'), rules: [{ tier_id: tier('Plata'), min_spend: -1 }] },
    }),
    status: 400,
    body: error('Datos incompletos'),
  },
  {
    section: 'decisions §4: unknown tier or negative number',
    when: 'a tier is unknown',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    send: ({ location }) => ({ body: { locationId: location('Alfa'), rules: [{ tier_id: NOWHERE }] } }),
    status: 400,
    body: error('Datos incompletos'),
  },
  {
    section: 'Errors: 403 loyalty/rules location of another organization',
    when: 'the location is another organization’s',
    as: 'super_admin',
    call: 'POST /api/loyalty/rules',
    send: ({ location }) => ({ body: { locationId: location('Este'), rules: [] } }),
    status: 403,
    body: error('No autorizado para esta ubicación'),
  },
  {
    section: 'decisions §10: location-bound staff',
    when: 'the person does not work at the location',
    as: 'bound',
    call: 'POST /api/loyalty/rules',
    send: ({ location }) => ({ body: { locationId: location('Bravo'), rules: [] } }),
    status: 403,
    body: error('No autorizado para esta ubicación'),
  },
  {
    section: 'decisions §10: limit_marketing_to_roles',
    when: 'the organization limits it to canAccessMarketing',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    arrange: limited,
    send: ({ location }) => ({ body: { locationId: location('Alfa'), rules: [] } }),
    status: 403,
    body: error('Forbidden'),
  },
  {
    section: 'POST /api/loyalty/rules: 500',
    when: 'the database fails',
    as: 'rrhh',
    call: 'POST /api/loyalty/rules',
    arrange: withoutFunction('save_loyalty_rules(uuid, jsonb)'),
    send: ({ location }) => ({ body: { locationId: location('Alfa'), rules: [] } }),
    status: 500,
    body: error(TEXT),
  },
  {
    section: 'GET /api/loyalty/config',
    when: 'none is stored',
    as: 'nobody',
    call: 'GET /api/loyalty/config',
    arrange: forget,
    status: 200,
    body: () => DEFAULT,
  },
  {
    section: 'PUT /api/loyalty/config',
    when: 'a super_admin stores it',
    as: 'super_admin',
    call: 'PUT /api/loyalty/config',
    arrange: forget,
    send: () => ({ body: OWN }),
    status: 200,
    body: () => OWN,
  },
  {
    section: 'GET /api/loyalty/config',
    when: 'one is stored',
    as: 'super_admin',
    call: 'GET /api/loyalty/config',
    arrange: async (world) => {
      await world.client('super_admin').request('PUT', '/api/loyalty/config', { body: OWN })
      return () => world.stack.sql('delete from public.loyalty_configs')
    },
    status: 200,
    body: () => OWN,
  },
  {
    section: 'Errors: 403 role not allowed (variants)',
    when: 'an admin stores it',
    as: 'admin',
    call: 'PUT /api/loyalty/config',
    send: () => ({ body: OWN }),
    status: 403,
    body: error('Forbidden'),
  },
  {
    section: 'PUT /api/loyalty/config: 500',
    when: 'the database fails',
    as: 'super_admin',
    call: 'PUT /api/loyalty/config',
    arrange: withoutFunction('save_loyalty_config(uuid, jsonb)'),
    send: () => ({ body: OWN }),
    status: 500,
    body: error(TEXT),
  },
  {
    section: 'decisions §8: loyalty/tiers',
    when: 'there is a session',
    as: 'rrhh',
    call: 'GET /api/loyalty/tiers',
    status: 200,
    body: () => ({
      data: DEFAULT.tiers.map(({ name, points_multiplier }, index) => ({
        id: UUID,
        name,
        rank: index + 1,
        points_multiplier,
      })),
      next_cursor: null,
    }),
  },
  {
    section: 'decisions §4: recalculate',
    when: 'someone of marketing asks',
    as: 'marketing',
    call: 'POST /api/loyalty/recalculate',
    status: 200,
    body: () => ({ success: true, evaluated: COUNT, upgraded: COUNT }),
  },
  {
    section: 'decisions §4: recalculate',
    when: 'the role lacks canAccessMarketing',
    as: 'operaciones',
    call: 'POST /api/loyalty/recalculate',
    status: 403,
    body: error('Forbidden'),
  },
  ...signedOut([
    'PUT /api/loyalty/config',
    'GET /api/loyalty/tiers',
    'POST /api/loyalty/recalculate',
    ...GRID,
    'GET /api/loyalty/rules',
  ]),
  ...notFor('operaciones', 'canAccessMarketing', GRID),
  grid(
    'there are rules',
    'GET /api/loyalty/rules',
    200,
    ({ location, tier }) => ({
      data: expect.arrayContaining([
        { location_id: location('Alfa'), tier_id: tier('Oro'), min_spend: 900.5, min_visits: 4 },
      ]),
      next_cursor: null,
    }),
    { as: 'rrhh', arrange: withRule },
  ),
  grid(
    'a rule changes and another goes',
    'PATCH /api/loyalty/rules',
    200,
    { success: true },
    {
      arrange: withRule,
      json: ({ location, tier }) => ({
        changes: [
          { location_id: location('Alfa'), tier_id: tier('Plata'), rule: { min_spend: 50, min_visits: 2 } },
          { location_id: location('Alfa'), tier_id: tier('Oro'), rule: null },
        ],
      }),
    },
  ),
  grid(
    'the location is another organization’s',
    'PATCH /api/loyalty/rules',
    403,
    { error: 'No autorizado para esta ubicación' },
    {
      json: ({ location, tier }) => ({
        changes: [{ location_id: location('Este'), tier_id: tier('Oro'), rule: null }],
      }),
    },
  ),
  grid(
    'a tier is unknown',
    'PATCH /api/loyalty/rules',
    400,
    { error: 'changes: Unknown tier' },
    {
      json: ({ location }) => ({
        changes: [{ location_id: location('Alfa'), tier_id: NOWHERE, rule: null }],
      }),
    },
  ),
  ...GRID.flatMap((call) => [
    grid('a number is negative', call, 400, about('changes.0.rule.min_spend'), {
      json: ({ location, tier }) => ({
        changes: [
          { location_id: location('Alfa'), tier_id: tier('Oro'), rule: { min_spend: -1, min_visits: 0 } },
        ],
      }),
    }),
    grid('the JSON is malformed', call, 400, { error: 'Malformed JSON' }, { json: '{"changes": ' }),
  ]),
  grid(
    'nobody would rise',
    'POST /api/loyalty/preview',
    200,
    { data: { evaluated: COUNT, rises: [] } },
    {
      as: 'stranger',
      json: ({ location }) => ({
        changes: [{ location_id: location('Este'), tier_id: NOWHERE, rule: null }],
      }),
    },
  ),
  grid(
    'the location is another organization’s',
    'POST /api/loyalty/preview',
    403,
    { error: 'No autorizado para esta ubicación' },
    {
      as: 'stranger',
      json: ({ location, tier }) => ({
        changes: [
          { location_id: location('Alfa'), tier_id: tier('Oro'), rule: { min_spend: 0, min_visits: 0 } },
        ],
      }),
    },
  ),
  {
    section: 'decisions §8: 400 bad input',
    when: 'a number is negative',
    as: 'super_admin',
    call: 'PUT /api/loyalty/config',
    send: () => ({ body: { tiers: [{ name: 'Plata', min_spend: -1, points_multiplier: 1 }] } }),
    status: 400,
    body: about('tiers.0.min_spend'),
  },
]
