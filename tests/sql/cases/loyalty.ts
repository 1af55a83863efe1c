import { NORTE } from '../cast'
import { reads, type TableCase } from '../expectations'

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
  // The programme is the group's: someone bound to Retiro knows Sol's rules too.
  loyalty_rules: {
    keys: ['location_id', 'tier_id'],
    reads: reads(
      [NORTE, ['Retiro / Norte Bronce', 'Sol / Norte Plata']],
      [['stranger'], ['Triana / Sur Oro']],
    ),
    insert: ({ ids }, home) => ({
      location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
      tier_id: ids[`${home} Platino`],
    }),
    change: () => ({ min_spend: 0, min_visits: 0 }),
  },
}
