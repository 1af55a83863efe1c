import { choice, href, param, type Query } from '@/components/ui/query'
import { CONSENT_FILTERS, type ConsentFilter } from '@/lib/customers/consent'
import {
  CUSTOMER_SEGMENTS,
  CUSTOMER_SORTS,
  type CustomerSegment,
  type CustomerSort,
} from '@/lib/customers/schema'
import type { Tier } from '@/lib/loyalty/schema'
import type { Location } from '@/lib/organization/list-locations'

/** After how many days without a visit a customer counts as inactive. */
export const INACTIVE_DAYS = ['30', '90', '180'] as const
export const SORTS = Object.keys(CUSTOMER_SORTS) as CustomerSort[]
const MAX_TAG = 60

/** What the customer list shows, read from its address; nonsense counts as absent. */
export interface CustomersQuery {
  search: string
  tag: string
  tierId: string | undefined
  locationId: string | undefined
  segment: CustomerSegment | undefined
  consent: ConsentFilter | undefined
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
    tag: param(query, 'tag', MAX_TAG),
    tierId: choice(query, 'tier', ids(tiers)),
    locationId: location?.id,
    segment: choice(query, 'segment', CUSTOMER_SEGMENTS),
    consent: choice(query, 'consent', CONSENT_FILTERS),
    inactive: choice(query, 'inactive', INACTIVE_DAYS),
    sort: choice(query, 'sort', SORTS) ?? 'recent',
    cursor: param(query, 'cursor', 1000) || undefined,
  }
}

/** The address of the same list from a position, from its start without one. */
export function customersHref(list: CustomersQuery, cursor?: string | null): string {
  return href('/customers', {
    q: list.search,
    tag: list.tag,
    tier: list.tierId,
    location: list.locationId,
    segment: list.segment,
    consent: list.consent,
    inactive: list.inactive,
    sort: list.sort === 'recent' ? undefined : list.sort,
    cursor: cursor ?? undefined,
  })
}

/** The address of the same list as a file. */
export function exportHref(list: CustomersQuery, language: string): string {
  return href('/api/customers/export', {
    search: list.search,
    tag: list.tag,
    tier: list.tierId,
    location_id: list.locationId,
    segment: list.segment,
    consent: list.consent,
    inactive_days: list.inactive,
    sort: list.sort,
    language,
  })
}

/** Whether anything narrows the list. */
export function isFiltered(list: CustomersQuery): boolean {
  const { search, tag, tierId, locationId, segment, inactive, consent } = list
  return Boolean(search || tag || tierId || locationId || segment || inactive || consent)
}
