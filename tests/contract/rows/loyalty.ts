import { expect } from 'vitest'
import { type Arrange, COUNT, error, NOWHERE, type Row, TEXT, UUID, withoutFunction } from '../row'
import { limited } from './arrange'
import { about } from './cases'

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
const forget = async ({ stack }: Parameters<Arrange>[0]) => {
  await stack.sql('delete from public.loyalty_configs')
  return () => stack.sql('delete from public.loyalty_configs')
}
const GRID = ['PATCH /api/loyalty/rules', 'POST /api/loyalty/preview']

const withRule = async ({ stack, location, tier }: Parameters<Arrange>[0]) => {
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
    name: 'saves rules of an own location and takes a missing number as 0',
    section: 'POST /api/loyalty/rules',
    as: 'rrhh',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location, tier }) => ({
        locationId: location('Alfa'),
        rules: [{ tier_id: tier('Plata'), min_spend: 100 }],
      }),
    },
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses a caller without a session',
    section: 'Errors: 401 loyalty/rules without session',
    as: 'visitor',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Alfa'), rules: [] }),
    },
    answers: { status: 401, body: error('No autorizado') },
  },
  {
    name: 'refuses a body without rules',
    section: 'Errors: 400 loyalty/rules incomplete body',
    as: 'rrhh',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Alfa') }),
    },
    answers: { status: 400, body: error('Datos incompletos') },
  },
  {
    name: 'refuses malformed JSON',
    section: 'Errors: 400 loyalty/rules incomplete body',
    as: 'rrhh',
    request: { operation: 'POST /api/loyalty/rules', body: '{"locationId": ' },
    answers: { status: 400, body: error('Datos incompletos') },
  },
  {
    name: 'refuses a negative number',
    section: 'our own: unknown tier or negative number',
    as: 'rrhh',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location, tier }) => ({
        locationId: location('Alfa'),
        rules: [{ tier_id: tier('Plata'), min_spend: -1 }],
      }),
    },
    answers: { status: 400, body: error('Datos incompletos') },
  },
  {
    name: 'refuses an unknown tier',
    section: 'our own: unknown tier or negative number',
    as: 'rrhh',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Alfa'), rules: [{ tier_id: NOWHERE }] }),
    },
    answers: { status: 400, body: error('Datos incompletos') },
  },
  {
    name: 'refuses a location of another organization',
    section: 'Errors: 403 loyalty/rules location of another organization',
    as: 'super_admin',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Este'), rules: [] }),
    },
    answers: { status: 403, body: error('No autorizado para esta ubicación') },
  },
  {
    name: 'refuses a location where the person does not work',
    section: 'our own: location-bound staff',
    as: 'bound',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Bravo'), rules: [] }),
    },
    answers: { status: 403, body: error('No autorizado para esta ubicación') },
  },
  {
    name: 'refuses other roles when the organization limits it to marketing',
    section: 'our own: limit_marketing_to_roles',
    as: 'rrhh',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Alfa'), rules: [] }),
    },
    arrange: limited,
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'fails when the database fails',
    section: 'POST /api/loyalty/rules: 500',
    as: 'rrhh',
    request: {
      operation: 'POST /api/loyalty/rules',
      body: ({ location }) => ({ locationId: location('Alfa'), rules: [] }),
    },
    arrange: withoutFunction('save_loyalty_rules(uuid, jsonb)'),
    answers: { status: 500, body: error(TEXT) },
  },
  {
    name: 'gives the default programme when none is stored',
    section: 'GET /api/loyalty/config',
    as: 'visitor',
    request: { operation: 'GET /api/loyalty/config' },
    arrange: forget,
    answers: { status: 200, body: DEFAULT },
  },
  {
    name: 'stores the programme of a super_admin',
    section: 'PUT /api/loyalty/config',
    as: 'super_admin',
    request: { operation: 'PUT /api/loyalty/config', body: OWN },
    arrange: forget,
    answers: { status: 200, body: OWN },
  },
  {
    name: 'gives the stored programme',
    section: 'GET /api/loyalty/config',
    as: 'super_admin',
    request: { operation: 'GET /api/loyalty/config' },
    arrange: async (world) => {
      await world.client('super_admin').request('PUT', '/api/loyalty/config', { body: OWN })
      return () => world.stack.sql('delete from public.loyalty_configs')
    },
    answers: { status: 200, body: OWN },
  },
  {
    name: 'refuses the programme of an admin',
    section: 'Errors: 403 role not allowed (variants)',
    as: 'admin',
    request: { operation: 'PUT /api/loyalty/config', body: OWN },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'fails when the database fails',
    section: 'PUT /api/loyalty/config: 500',
    as: 'super_admin',
    request: { operation: 'PUT /api/loyalty/config', body: OWN },
    arrange: withoutFunction('save_loyalty_config(uuid, jsonb)'),
    answers: { status: 500, body: error(TEXT) },
  },
  {
    name: 'gives the tiers to anyone with a session',
    section: 'our own: loyalty/tiers',
    as: 'rrhh',
    request: { operation: 'GET /api/loyalty/tiers' },
    answers: {
      status: 200,
      body: {
        data: DEFAULT.tiers.map(({ name, points_multiplier }, index) => ({
          id: UUID,
          name,
          rank: index + 1,
          points_multiplier,
        })),
        next_cursor: null,
      },
    },
  },
  {
    name: 'recalculates the tiers for marketing',
    section: 'our own: recalculate',
    as: 'marketing',
    request: { operation: 'POST /api/loyalty/recalculate' },
    answers: { status: 200, body: { success: true, evaluated: COUNT, upgraded: COUNT } },
  },
  {
    name: 'refuses a role without canAccessMarketing',
    section: 'our own: recalculate',
    as: 'operaciones',
    request: { operation: 'POST /api/loyalty/recalculate' },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'lists the rules',
    section: 'our own: loyalty rules of several locations',
    as: 'rrhh',
    request: { operation: 'GET /api/loyalty/rules' },
    arrange: withRule,
    answers: {
      status: 200,
      body: ({ location, tier }) => ({
        data: expect.arrayContaining([
          { location_id: location('Alfa'), tier_id: tier('Oro'), min_spend: 900.5, min_visits: 4 },
        ]),
        next_cursor: null,
      }),
    },
  },
  {
    name: 'changes one rule and deletes another',
    section: 'our own: loyalty rules of several locations',
    as: 'marketing',
    request: {
      operation: 'PATCH /api/loyalty/rules',
      body: ({ location, tier }) => ({
        changes: [
          { location_id: location('Alfa'), tier_id: tier('Plata'), rule: { min_spend: 50, min_visits: 2 } },
          { location_id: location('Alfa'), tier_id: tier('Oro'), rule: null },
        ],
      }),
    },
    arrange: withRule,
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: loyalty rules of several locations',
    as: 'marketing',
    request: {
      operation: 'PATCH /api/loyalty/rules',
      body: ({ location, tier }) => ({
        changes: [{ location_id: location('Este'), tier_id: tier('Oro'), rule: null }],
      }),
    },
    answers: { status: 403, body: { error: 'No autorizado para esta ubicación' } },
  },
  {
    name: 'refuses an unknown tier',
    section: 'our own: loyalty rules of several locations',
    as: 'marketing',
    request: {
      operation: 'PATCH /api/loyalty/rules',
      body: ({ location }) => ({
        changes: [{ location_id: location('Alfa'), tier_id: NOWHERE, rule: null }],
      }),
    },
    answers: { status: 400, body: { error: 'changes: Unknown tier' } },
  },
  ...GRID.flatMap((operation): Row[] => [
    {
      name: 'refuses a negative number',
      section: 'our own: loyalty rules of several locations',
      as: 'marketing',
      request: {
        operation,
        body: ({ location, tier }) => ({
          changes: [
            { location_id: location('Alfa'), tier_id: tier('Oro'), rule: { min_spend: -1, min_visits: 0 } },
          ],
        }),
      },
      answers: { status: 400, body: about('changes.0.rule.min_spend') },
    },
    {
      name: 'refuses malformed JSON',
      section: 'our own: loyalty rules of several locations',
      as: 'marketing',
      request: { operation, body: '{"changes": ' },
      answers: { status: 400, body: { error: 'Malformed JSON' } },
    },
  ]),
  {
    name: 'previews that no customer rises',
    section: 'our own: loyalty rules of several locations',
    as: 'stranger',
    request: {
      operation: 'POST /api/loyalty/preview',
      body: ({ location }) => ({
        changes: [{ location_id: location('Este'), tier_id: NOWHERE, rule: null }],
      }),
    },
    answers: { status: 200, body: { data: { evaluated: COUNT, rises: [] } } },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: loyalty rules of several locations',
    as: 'stranger',
    request: {
      operation: 'POST /api/loyalty/preview',
      body: ({ location, tier }) => ({
        changes: [
          { location_id: location('Alfa'), tier_id: tier('Oro'), rule: { min_spend: 0, min_visits: 0 } },
        ],
      }),
    },
    answers: { status: 403, body: { error: 'No autorizado para esta ubicación' } },
  },
  {
    name: 'refuses a negative number',
    section: 'our own: 400 bad input',
    as: 'super_admin',
    request: {
      operation: 'PUT /api/loyalty/config',
      body: { tiers: [{ name: 'Plata', min_spend: -1, points_multiplier: 1 }] },
    },
    answers: { status: 400, body: about('tiers.0.min_spend') },
  },
]
