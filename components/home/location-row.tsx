import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { count, EXPECTED } from '@/components/ui/service-count'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import { LocationShares } from './location-shares'
import { Pair } from './pair'

interface LocationRowProps {
  name: string
  href: string | null
  figures: readonly ServiceFigure[]
}

/** One location's figures. On a phone the states stand under the name, as far as there are any. */
export function LocationRow({ name, href, figures }: LocationRowProps) {
  const t = useTranslations('home.locations')
  return (
    <tr>
      <th scope="row">
        {href ? <Link href={href}>{name}</Link> : name}
        <span data-narrow="md">
          <LocationShares figures={figures} />
        </span>
        {figures.length === 0 ? <small data-narrow="md">{t('empty')}</small> : null}
      </th>
      <td data-num>
        <Pair {...count(figures, EXPECTED)} strong />
      </td>
      {RESERVATION_STATUSES.map((status) => (
        <td key={status} data-num data-wide="md">
          <Pair {...count(figures, [status])} />
        </td>
      ))}
    </tr>
  )
}
