import { IconCalendarEvent } from '@tabler/icons-react'
import { getFormatter, getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { twoDays } from '@/lib/calendar/two-days'
import type { Location } from '@/lib/organization/list-locations'
import classes from './rows.module.css'
import { SectionLink } from './section-link'

interface EventsSoonProps {
  session: Session
  locations: readonly Location[]
  location?: Location
}

/** Today's and tomorrow's appointments, after what goes on from the days before. */
export async function EventsSoon({ session, locations, location }: EventsSoonProps) {
  const timezone = location?.timezone
  const [days, t, format] = await Promise.all([
    twoDays(session, { locationId: location?.id, timezone }),
    getTranslations('home.events'),
    getFormatter(),
  ])
  const parts = [
    ['today', [...days.underWay, ...days.today]],
    ['tomorrow', days.tomorrow],
  ] as const
  const empty = parts.every(([, events]) => events.length === 0)
  return (
    <Panel title={t('title')} aside={<SectionLink href="/calendar">{t('all')}</SectionLink>} flush={!empty}>
      {empty ? <EmptyState icon={IconCalendarEvent} title={t('none')} text={t('noneText')} /> : null}
      {parts.map(([day, events]) =>
        events.length > 0 ? (
          <div key={day}>
            <h3 className={classes.day}>{t(day)}</h3>
            <ul>
              {events.map((event) => {
                const place = locations.find(({ id }) => id === event.location_id)
                const zone = place?.timezone ?? timezone
                const goesOn = days.underWay.includes(event)
                const under = [place?.name, event.assignee_name].filter(Boolean).join(' · ')
                return (
                  <li key={event.id} className={classes.row}>
                    <time className={classes.time} dateTime={event.event_datetime}>
                      {goesOn
                        ? t('goesOn')
                        : format.dateTime(new Date(event.event_datetime), {
                            hour: '2-digit',
                            minute: '2-digit',
                            hourCycle: 'h23',
                            timeZone: zone,
                          })}
                    </time>
                    <span className={classes.main}>
                      {event.title}
                      {under ? <small>{under}</small> : null}
                    </span>
                  </li>
                )
              })}
            </ul>
          </div>
        ) : null,
      )}
    </Panel>
  )
}
