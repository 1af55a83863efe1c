import { choice, href, param, type Query } from '@/components/ui/query'
import { CUSTOMER_SORTS, type CustomerSort } from '@/lib/customers/schema'
import type { Tier } from '@/lib/loyalty/schema'
import type { Location } from '@/lib/organization/list-locations'

/** After how many days without a visit a customer counts as inactive. */
export const INACTIVE_DAYS = ['30', '90', '180'] as const
export const SORTS = Object.keys(CUSTOMER_SORTS) as CustomerSort[]

/** What the customer list shows, read from its address; nonsense counts as absent. */
export interface CustomersQuery {
  search: string
  tierId: string | undefined
  locationId: string | undefined
  inactive: (typeof INACTIVE_DAYS)[number] | undefined
  sort: CustomerSort
  cursor: string | undefined
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Reads the address, for the chosen location or all. */
export function parseCustomersQuery(
  query: Query,
  location: Location | undefined,
  tiers: readonly Tier[],
): CustomersQuery {
  return {
    search: param(query, 'q'),
    tierId: choice(query, 'tier', ids(tiers)),
    locationId: location?.id,
    inactive: choice(query, 'inactive', INACTIVE_DAYS),
    sort: choice(query, 'sort', SORTS) ?? 'recent',
    cursor: param(query, 'cursor', 1000) || undefined,
  }
}

/** The address of the same list from a position, from its start without one. */
export function customersHref(list: CustomersQuery, cursor?: string | null): string {
  return href('/customers', {
    q: list.search,
    tier: list.tierId,
    location: list.locationId,
    inactive: list.inactive,
    sort: list.sort === 'recent' ? undefined : list.sort,
    cursor: cursor ?? undefined,
  })
}
