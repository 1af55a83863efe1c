import { useTranslations } from 'next-intl'
import { StaleNote } from '@/components/locations/stale-text'
import { Link } from '@/components/ui/link'
import { count, EXPECTED } from '@/components/ui/service-count'
import type { StaleLocation } from '@/lib/locations/stale-data'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import { LocationShares } from './location-shares'
import { Pair } from './pair'

interface LocationRowProps {
  name: string
  href: string | null
  figures: readonly ServiceFigure[]
  /** Whether the PMS was asked for today: without figures it is then really empty. */
  known: boolean
  /** There when the location's last sync failed. */
  stale?: StaleLocation
}

/** One location's figures. On a phone the states stand under the name, as far as there are any. */
export function LocationRow({ name, href, figures, known, stale }: LocationRowProps) {
  const t = useTranslations('home.locations')
  const noData = !known && figures.length === 0
  return (
    <tr>
      <th scope="row">
        {href ? <Link href={href}>{name}</Link> : name}
        <span data-narrow="md">
          <LocationShares figures={figures} />
        </span>
        {figures.length === 0 && known ? <small data-narrow="md">{t('empty')}</small> : null}
        <StaleNote location={stale} />
      </th>
      <td data-num>
        {noData ? <small>{t('noData')}</small> : <Pair {...count(figures, EXPECTED)} strong />}
      </td>
      {RESERVATION_STATUSES.map((status) => (
        <td key={status} data-num data-wide="md">
          {noData ? null : <Pair {...count(figures, [status])} />}
        </td>
      ))}
    </tr>
  )
}
