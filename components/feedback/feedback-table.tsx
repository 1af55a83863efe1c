import { useFormatter, useTranslations } from 'next-intl'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import { CustomerLink } from '@/components/ui/customer-link'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import type { Feedback } from '@/lib/feedback/schema'
import classes from './feedback.module.css'
import { ReplyButton } from './reply-button'
import { ScoreBadge } from './score-badge'

/** Answers as a list, the latest first: score, words, guest, location, and the ticket of a bad one. */
export function FeedbackTable({ feedback }: { feedback: readonly Feedback[] }) {
  const t = useTranslations('feedback')
  const format = useFormatter()
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.score')}</th>
          <th scope="col">{t('columns.words')}</th>
          <th scope="col" data-wide>
            {t('columns.guest')}
          </th>
          <th scope="col" data-wide="md">
            {t('columns.location')}
          </th>
          <th scope="col" data-wide>
            {t('columns.answered')}
          </th>
        </tr>
      </thead>
      <tbody>
        {feedback.map((one) => {
          const when = format.dateTime(new Date(one.answered_at), 'instant')
          const guest = (
            <>
              <CustomerLink id={one.customer_id} name={one.customer_name} />
              <AllergiesByCode codes={one.allergies} />
            </>
          )
          return (
            <tr key={one.id}>
              <td>
                <ScoreBadge score={one.score} />
              </td>
              <td>
                {one.words ? (
                  <p className={classes.words}>{one.words}</p>
                ) : (
                  <span className={classes.none}>{t('noWords')}</span>
                )}
                {one.reply && one.replied_at ? (
                  <div className={classes.reply}>
                    <small>
                      {t('repliedBy', {
                        name: one.replied_by ?? '',
                        when: format.dateTime(new Date(one.replied_at), 'instant'),
                      })}
                    </small>
                    <p className={classes.words}>{one.reply}</p>
                  </div>
                ) : null}
                <div className={classes.actions}>
                  {one.customer_id && !one.replied_at ? (
                    <ReplyButton id={one.id} guest={one.customer_name} words={one.words} />
                  ) : null}
                  {one.ticket_id ? (
                    <Link href={`/tickets/${one.ticket_id}`} prefetch={false}>
                      {t('ticket')}
                    </Link>
                  ) : null}
                </div>
                <small data-narrow>
                  {guest} · {when}
                </small>
              </td>
              <td data-wide>{guest}</td>
              <td data-wide="md">{one.location}</td>
              <td data-wide>{when}</td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
