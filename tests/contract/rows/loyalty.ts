import { COUNT, error, NOWHERE, type Row, TEXT, UUID, withoutFunction } from '../row'
import { about, signedOut } from './cases'

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
  ...signedOut(['PUT /api/loyalty/config', 'GET /api/loyalty/tiers', 'POST /api/loyalty/recalculate']),
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
