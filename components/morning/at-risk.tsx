import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Allergies } from '@/components/customers/allergy-badges'
import { RISK_TONES, riskReasons } from '@/components/reservations/risk-reasons'
import { Badge } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { type Allergy, allergiesOf } from '@/lib/customers/allergies'
import { shownName } from '@/lib/customers/person-name'
import { type RiskyReservation, riskyReservations } from '@/lib/reservations/at-risk'
import { reservationsPage } from '@/lib/reservations/filters'
import classes from './morning.module.css'

interface AtRiskProps {
  session: Session
  date: string
  locationId: string | undefined
}

/** The reservations of a day that are most likely to end as a no-show; nothing when there are none. */
export async function AtRisk({ session, date, locationId }: AtRiskProps) {
  const [found, t] = await Promise.all([
    riskyReservations(session, { date, location_id: locationId }),
    getTranslations('morning.atRisk'),
  ])
  if (found.length === 0) return null
  const guests = found.map(({ reservation }) => reservation.customer_id)
  const allergies = await allergiesOf(session, guests)
  return (
    <Panel title={t('title')}>
      <ul className={classes.risks}>
        {found.map((one) => (
          <Risky
            key={one.reservation.id}
            {...one}
            date={date}
            allergies={allergies.get(one.reservation.customer_id ?? '')}
          />
        ))}
      </ul>
      <p className={classes.hint}>{t('hint')}</p>
    </Panel>
  )
}

function Risky({
  reservation,
  risk,
  date,
  allergies,
}: RiskyReservation & { date: string; allergies: readonly Allergy[] | undefined }) {
  const t = useTranslations('client.risk')
  const texts = useTranslations('reservation')
  const { id, customer_name: name, reservation_time: time, party_size: count, location } = reservation
  return (
    <li>
      <Link href={reservationsPage.href({ date, reservation: id })}>
        {time} · {name ? shownName(name) : texts('noName')}
      </Link>{' '}
      <span>
        {texts('party', { count })} · {location?.name}
      </span>{' '}
      <Badge tone={RISK_TONES[risk.level]}>{t(`level.${risk.level}`)}</Badge>{' '}
      <small>{riskReasons(t, risk)}</small>
      <Allergies allergies={allergies} />
    </li>
  )
}
