import { IconUserStar } from '@tabler/icons-react'
import { getNow, getTranslations } from 'next-intl/server'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Note } from '@/components/ui/note'
import { Panel } from '@/components/ui/panel'
import { href } from '@/components/ui/query'
import { RowLink } from '@/components/ui/row-link'
import type { Session } from '@/lib/auth/session'
import { customersToKnow } from '@/lib/overview/customers-to-know'
import arrivals from './arrivals.module.css'
import classes from './guests-to-know.module.css'
import { reasonsOf } from './reasons'

/** Today's guests whom one should know, and why. For those who may read reservations and customers. */
export async function GuestsToKnow({ session, locationId }: { session: Session; locationId?: string }) {
  const [{ guests, total }, t, texts, now] = await Promise.all([
    customersToKnow(session, { locationId }),
    getTranslations('home.know'),
    getTranslations('reservation'),
    getNow(),
  ])
  if (guests.length === 0)
    return (
      <Panel title={t('title')}>
        <EmptyState icon={IconUserStar} title={t('none')} text={t('noneText')} />
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
                <RowLink
                  href={href('/reservations', { location: locationId, reservation: guest.reservation_id })}
                  className={classes.name}
                >
                  {guest.customer_name ?? texts('noName')}
                </RowLink>
                <span className={arrivals.where}>
                  {texts('party', { count: guest.party_size })}
                  {locationId ? null : ` · ${guest.location_name}`}
                </span>
              </div>
              <ul className={classes.reasons} aria-label={t('reasonsLabel')}>
                {reasonsOf(guest, now).map(({ key, tone, ...values }) => (
                  <li key={key}>
                    <Badge tone={tone}>{t(`reasons.${key}`, values)}</Badge>
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
