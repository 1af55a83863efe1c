import { BOUND, NORTE, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'

const WITH_GUESTS: Who[] = [
  'super_admin',
  'admin',
  'ceo',
  'marketing',
  'operaciones',
  'boundOperaciones',
  'boundAdmin',
]
const TIERS = ['Bronce', 'Plata', 'Oro', 'Platino']

export const loyaltyTables: Record<string, TableCase> = {
  loyalty_tiers: {
    keys: ['organization_id', 'name'],
    reads: reads(
      [NORTE, TIERS.map((tier) => `Norte / ${tier}`)],
      [['stranger'], TIERS.map((tier) => `Sur / ${tier}`)],
    ),
    insert: ({ ids }, home) => ({ organization_id: ids[home], name: 'Diamante', rank: 9 }),
    change: () => ({ points_multiplier: 99 }),
  },
  loyalty_rules: {
    keys: ['location_id', 'tier_id'],
    reads: reads(
      [UNBOUND, ['Retiro / Norte Bronce', 'Sol / Norte Plata']],
      [BOUND, ['Retiro / Norte Bronce']],
      [['stranger'], ['Triana / Sur Oro']],
    ),
    insert: ({ ids }, home) => ({
      location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
      tier_id: ids[`${home} Platino`],
    }),
    change: () => ({ min_spend: 0, min_visits: 0 }),
  },
  // Norte has none yet; what Sur stored is Sur's.
  loyalty_configs: {
    keys: ['organization_id'],
    reads: reads([['stranger'], ['Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], tiers: [] }),
    change: () => ({ tiers: [{ name: 'Bronce' }] }),
  },
  loyalty_points: {
    keys: ['organization_id', 'points'],
    reads: reads(
      [WITH_GUESTS, ['Norte / 10', 'Norte / 5']],
      // Not those of a visit in Sol.
      [['boundOperaciones', 'boundAdmin'], ['Norte / 10']],
      [['stranger'], ['Sur / 10']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      customer_id: ids[`${home} regular`],
      kind: 'adjusted',
      points: 500,
      reason: 'Porque sí',
    }),
    change: () => ({ points: 999 }),
  },
}

const shape = (answer: unknown) => answer

export const loyaltyFunctions: Record<string, FunctionCase> = {
  // The rule as it is: who may save is what counts here.
  save_loyalty_rules: {
    body: ({ ids }) => ({
      p_location: ids.Sol,
      p_rules: [{ tier_id: ids['Norte Plata'], min_spend: 60, min_visits: 2 }],
    }),
    shape,
    answers: answers<unknown>('foreign_location', [UNBOUND, 'saved']),
  },
  save_loyalty_changes: {
    body: ({ ids }) => ({
      p_changes: [
        { location_id: ids.Sol, tier_id: ids['Norte Plata'], min_spend: 60, min_visits: 2 },
        { location_id: ids.Retiro, tier_id: ids['Norte Oro'], min_spend: null, min_visits: null },
      ],
    }),
    shape,
    // Unlike the contract's own endpoint: with the permission, and only for the locations they work in.
    answers: answers<unknown>(
      'forbidden',
      [['super_admin', 'admin', 'ceo', 'marketing'], 'saved'],
      [['boundAdmin', 'stranger'], 'unknown_location'],
    ),
  },
  loyalty_distribution: {
    body: () => ({}),
    shape: (answer, { nameOf }) =>
      (answer as { location_id: string; customers: number }[])
        .map(({ location_id, customers }) => `${nameOf(location_id)}: ${customers}`)
        .sort(),
    answers: answers<unknown>(
      [],
      [
        ['super_admin', 'admin', 'ceo', 'marketing'],
        ['Retiro: 1', 'Sol: 1'],
      ],
      [['boundAdmin'], ['Retiro: 1']],
      [['stranger'], ['Triana: 1']],
    ),
  },
  // About a guest of Norte.
  save_points: {
    body: ({ ids }) => ({
      p_customer: ids['Norte regular'],
      p_kind: 'adjusted',
      p_points: 1,
      p_reason: 'Prueba',
    }),
    shape: (answer) => (answer as { outcome: string }).outcome,
    answers: answers<unknown>(
      'saved',
      [['rrhh', 'pr_comunicacion', 'sala', 'fired'], 'forbidden'],
      [['stranger'], 'not_found'],
    ),
  },
  open_locations: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_rows: [] }),
    shape,
    answers: serviceOnly(),
  },
  preview_loyalty_tiers: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_changes: [], p_after: null, p_limit: 1 }),
    shape,
    answers: serviceOnly(),
  },
  save_loyalty_config: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_tiers: [] }),
    shape,
    answers: serviceOnly(),
  },
  raise_loyalty_tiers: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_after: null, p_limit: 1 }),
    shape,
    answers: serviceOnly(),
  },
}
