import { IconUserStar } from '@tabler/icons-react'
import { useNow, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'
import { Note } from '@/components/ui/note'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { shownName } from '@/lib/customers/person-name'
import { isSevere } from '@/lib/customers/severe'
import { customersToKnow } from '@/lib/overview/reads'
import { type Reason, reasonsOf } from '@/lib/overview/reasons'
import type { GuestToKnow } from '@/lib/overview/schema'
import { reservationsPage } from '@/lib/reservations/filters'
import arrivals from './arrivals.module.css'
import classes from './customers-to-know.module.css'

const TONES: Record<Reason['key'], BadgeTone> = {
  allergy: 'red',
  allergyTo: 'red',
  birthdayToday: 'accent',
  birthdayAhead: 'accent',
  birthdayPast: 'accent',
  vip: 'amber',
  away: 'blue',
  noShows: 'orange',
  first: 'green',
}

/** How a reason stands out that may harm the guest. */
const alarmOf = (key: Reason['key'], note = '') =>
  key !== 'allergy' && key !== 'allergyTo' ? undefined : isSevere({ note }) ? 'severe' : 'plain'

/** Today's important customers, with the reasons. Needs access to reservations and customers. */
export async function CustomersToKnow({
  session,
  locationId,
  known,
}: {
  session: Session
  locationId?: string
  known: boolean
}) {
  const { customers, total } = await customersToKnow(session, { locationId })
  return <GuestsToKnow guests={customers} total={total} locationId={locationId} known={known} />
}

interface GuestsToKnowProps {
  guests: readonly Omit<GuestToKnow, 'allergies'>[]
  /** The number of customers. */
  total: number
  locationId?: string
  /** The day, unless it is today. */
  date?: string
  /** Whether the PMS has sent the reservations of that day. Until then an empty list shows that data are missing. */
  known?: boolean
}

/** Important guests by time, each with the reasons. Their names open the reservation. */
export function GuestsToKnow({ guests, total, locationId, date, known = true }: GuestsToKnowProps) {
  const t = useTranslations('home.know')
  const texts = useTranslations('reservation')
  const facts = useTranslations('client.facts')
  const now = useNow()
  if (guests.length === 0)
    return (
      <Panel title={t('title')}>
        <EmptyState icon={IconUserStar} title={t(known ? 'none' : 'noData')} text={t('noneText')} />
      </Panel>
    )
  return (
    <Panel title={t('title')} aside={t('shown', { shown: guests.length, total })} flush>
      <ul>
        {guests.map((guest) => (
          <li key={guest.reservation_id} className={arrivals.item}>
            <time className={arrivals.time}>{guest.reservation_time}</time>
            <div className={arrivals.body}>
              <div className={arrivals.who}>
                <Link
                  prefetch={false}
                  href={reservationsPage.href({
                    date,
                    location_id: locationId,
                    reservation: guest.reservation_id,
                  })}
                  className={classes.name}
                >
                  {shownName(guest.customer_name ?? texts('noName'))}
                </Link>
                <span className={arrivals.where}>
                  {texts('party', { count: guest.party_size })}
                  {locationId ? null : ` · ${guest.location_name}`}
                </span>
              </div>
              <ul className={classes.reasons} aria-label={t('reasonsLabel')}>
                {reasonsOf(guest, now).map(({ key, code, note, ...values }) => (
                  <li key={`${key} ${code ?? ''}`}>
                    <Badge tone={TONES[key]} alarm={alarmOf(key, note)}>
                      {t(`reasons.${key}`, { ...values, allergen: code ? facts(code) : '' })}
                      {note ? ` (${note})` : null}
                    </Badge>
                  </li>
                ))}
              </ul>
              <Note text={guest.notes} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
