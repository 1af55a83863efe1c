import { useFormatter, useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { heatStep } from '@/components/ui/heat'
import heat from '@/components/ui/heat.module.css'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import { calendarDate } from '@/lib/i18n/formats'
import { pooledBy, type Returned, returnedBy } from '@/lib/reports/returns'
import { type Cohort, HORIZONS, type Reports, type Split, STEP_DAYS } from '@/lib/reports/schema'
import { useGroupName } from './names'
import classes from './reports.module.css'

/** How many new guests a month needs to set the scale of the colours. */
const COMPARED = 20

interface CohortTableProps {
  reports: Reports
  split: Split | undefined
}

/** New guests by month, and how many came again within 30, 60 and 90 days; with a split for each of its parts. */
export function CohortTable({ reports, split }: CohortTableProps) {
  const t = useTranslations('reports.cohorts')
  const format = useFormatter()
  const groupName = useGroupName(split)
  const { groups, data_from } = reports
  // One guest who came again is 100 % of a month of one: the other months would look pale beside it.
  const compared = groups.flatMap(({ cohorts }) => cohorts).filter(({ guests }) => guests >= COMPARED)
  const most = Math.max(
    0,
    ...compared.flatMap((cohort) => HORIZONS.map((step) => shareOf(cohort, step) ?? 0)),
  )
  return (
    <Panel title={t('title')} aside={t('aside')} flush>
      <ScrollingTable label={t('scroll')} caption={t('caption')}>
        <thead>
          <tr>
            <th scope="col">{t('month')}</th>
            <th scope="col" data-num>
              {t('guests')}
            </th>
            {HORIZONS.map((step) => (
              <th key={step} scope="col" data-num>
                {t('within', { days: step * STEP_DAYS })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={`${group.key} ${group.rest}`}>
              <tr className={classes.group}>
                <th scope="row">{groupName(group)}</th>
                <td data-num>{format.number(guestsOf(group.cohorts), 'grouped')}</td>
                {HORIZONS.map((step) => (
                  <td key={step} data-num>
                    <Share returned={pooledBy(group.cohorts, step)} />
                  </td>
                ))}
              </tr>
              {group.cohorts.toReversed().map((cohort) => (
                <Month key={cohort.month} cohort={cohort} most={most} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </ScrollingTable>
      <p className={classes.note}>
        {t('note')} {t('small')}{' '}
        {data_from ? t('since', { date: format.dateTime(calendarDate(data_from), 'date') }) : null}
      </p>
    </Panel>
  )
}

const guestsOf = (cohorts: readonly Cohort[]) => cohorts.reduce((sum, { guests }) => sum + guests, 0)

function shareOf(cohort: Cohort, step: number): number | null {
  const known = returnedBy(cohort, step)
  return known && known.returned / known.guests
}

function Month({ cohort, most }: { cohort: Cohort; most: number }) {
  const format = useFormatter()
  return (
    <tr>
      <th scope="row">{format.dateTime(calendarDate(cohort.month), 'month')}</th>
      <td data-num>{format.number(cohort.guests, 'grouped')}</td>
      {HORIZONS.map((step) => (
        <td
          key={step}
          className={heat.cell}
          data-heat={cohort.guests < COMPARED ? undefined : heatStep(shareOf(cohort, step), most)}
          data-num
        >
          <Share returned={returnedBy(cohort, step)} />
        </td>
      ))}
    </tr>
  )
}

/** The share and the count of those who came again, or that it is too early to know. */
function Share({ returned }: { returned: Returned | null }) {
  const t = useTranslations('reports.cohorts')
  if (!returned) return <span className={classes.young}>{t('young')}</span>
  return (
    <>
      <span className={classes.share}>{t('share', { share: returned.returned / returned.guests })}</span>
      <small>{t('count', { count: returned.returned, of: returned.guests })}</small>
    </>
  )
}
