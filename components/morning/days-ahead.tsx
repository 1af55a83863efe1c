import { useFormatter, useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import { calendarDate } from '@/lib/i18n/formats'
import type { Ahead, Morning } from '@/lib/morning/schema'
import classes from './morning.module.css'

/** The booked covers of today and the next seven days, beside each location's capacity. */
export function DaysAhead({ morning }: { morning: Morning }) {
  const t = useTranslations('morning.ahead')
  const format = useFormatter()
  const { locations, ahead, date } = morning
  if (locations.length === 0) return null
  return (
    <Panel title={t('title')} aside={t('legend')} flush>
      <ScrollingTable label={t('scroll')} caption={t('caption')}>
        <thead>
          <tr>
            <th scope="col">{t('location')}</th>
            {ahead.map(({ day }) => (
              <th key={day} scope="col" data-num>
                {day === date ? t('today') : format.dateTime(calendarDate(day), 'shortDate')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {locations.map(({ id, name, ahead: days }) => (
            <Row key={id} name={name} days={days} />
          ))}
        </tbody>
        {locations.length > 1 ? (
          <tfoot>
            <Row name={t('total')} days={ahead} />
          </tfoot>
        ) : null}
      </ScrollingTable>
    </Panel>
  )
}

function Row({ name, days }: { name: string; days: readonly Ahead[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {days.map((day) => (
        <td key={day.day} data-num>
          <Day {...day} />
        </td>
      ))}
    </tr>
  )
}

/** The covers of a day and, where it is known, the capacity. */
function Day({ covers, capacity, closed, reservations }: Ahead) {
  const t = useTranslations('morning.ahead')
  const format = useFormatter()
  if (covers === null) return <small>{t('noData')}</small>
  if (closed && covers === 0) return <small>{t('closed')}</small>
  return (
    <>
      <span
        className={classes.value}
        title={t('reservations', { count: reservations ?? 0 })}
        data-full={(capacity !== null && capacity > 0 && covers >= capacity) || undefined}
      >
        {format.number(covers, 'grouped')}
      </span>
      <small className={classes.changes}>
        {capacity ? t('of', { capacity, share: covers / capacity }) : t('noCapacity')}
      </small>
    </>
  )
}
