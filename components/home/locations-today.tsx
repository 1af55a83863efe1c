import { IconToolsKitchen2 } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import { isKnown, knownOf } from '@/lib/locations/known-days'
import { staleLocations } from '@/lib/locations/stale-data'
import type { Location } from '@/lib/organization/list-locations'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import { LocationRow } from './location-row'

interface LocationsTodayProps {
  locations: readonly Location[]
  figures: readonly ServiceFigure[]
  /** The day of the service. */
  today: string
  /** Whether names lead to the location's reservations. */
  linked: boolean
}

/** Today's reservations and covers of each location by state. */
export function LocationsToday({ locations, figures, today, linked }: LocationsTodayProps) {
  const t = useTranslations('home.locations')
  const statuses = useTranslations('status.many')
  const stale = new Map(staleLocations(locations).map((location) => [location.id, location]))
  if (locations.length === 0)
    return (
      <Panel title={t('title')}>
        <EmptyState icon={IconToolsKitchen2} title={t('none')} text={t('noneText')} />
      </Panel>
    )
  return (
    <Panel title={t('title')} aside={t('legend')} flush>
      <DataTable caption={t('caption')}>
        <thead>
          <tr>
            <th scope="col">{t('location')}</th>
            <th scope="col" data-num>
              {t('expected')}
            </th>
            {RESERVATION_STATUSES.map((status) => (
              <th key={status} scope="col" data-num data-wide="md">
                {statuses(status)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {locations.map((location) => (
            <LocationRow
              key={location.id}
              name={location.name}
              href={linked ? `/reservations?location=${location.id}` : null}
              figures={figures.filter((figure) => figure.location_id === location.id)}
              known={isKnown(location, today)}
              stale={stale.get(location.id)}
            />
          ))}
        </tbody>
        {locations.length > 1 ? (
          <tfoot>
            <LocationRow
              name={t('total')}
              href={null}
              figures={figures}
              known={knownOf(locations, [today]) !== 'none'}
            />
          </tfoot>
        ) : null}
      </DataTable>
    </Panel>
  )
}
