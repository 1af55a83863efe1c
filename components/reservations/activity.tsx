import { useFormatter, useNow, useTranslations } from 'next-intl'
import type { ReservationActivity } from '@/lib/reservations/schema'
import classes from './drawer.module.css'

const FIELDS = [
  'location_id',
  'customer_id',
  'customer_name',
  'customer_email',
  'customer_phone',
  'reservation_date',
  'reservation_time',
  'party_size',
  'notes',
  'total_amount',
  'zone_name',
  'table_name',
  'joined_to',
] as const

const CHANNELS = { sms: 'SMS', whatsapp: 'WhatsApp' }

/** The changes of a reservation, including marks that the PMS replaced; newest first. */
export function Activity({ entries }: { entries: readonly ReservationActivity[] }) {
  const t = useTranslations('reservations.activity')
  const format = useFormatter()
  const now = useNow()
  return (
    <section className={classes.activity} aria-label={t('title')}>
      <h3>{t('title')}</h3>
      {entries.length > 0 ? (
        <ol className={classes.changes}>
          {entries.map((entry, index) => {
            const at = new Date(entry.at)
            return (
              <li key={entry.id}>
                <Lines entry={entry} earlier={entries.slice(index + 1)} />
                <time
                  dateTime={entry.at}
                  title={format.dateTime(at, { dateStyle: 'long', timeStyle: 'short' })}
                >
                  {format.relativeTime(at, now)}
                </time>
              </li>
            )
          })}
        </ol>
      ) : (
        <p className={classes.none}>
          {t('none')}. {t('noneText')}
        </p>
      )}
    </section>
  )
}

/** A change: one sentence for the status or the guest's answer, one for the other fields. */
function Lines({ entry, earlier }: { entry: ReservationActivity; earlier: readonly ReservationActivity[] }) {
  const t = useTranslations('reservations.activity')
  const statuses = useTranslations('status.one')
  const format = useFormatter()
  const { action, status } = entry
  const overruled = action === 'reservation.overruled'
  const actor = entry.actor ?? t('gone')
  const names = FIELDS.filter((field) => entry.fields.includes(field)).map((field) => t(`fields.${field}`))
  const fields = names.length > 0 ? format.list(names) : null
  const pms =
    status?.pms && status.pms !== status.from ? (
      <small>{t('pms', { status: statuses(status.pms) })}</small>
    ) : null
  if (entry.answer) {
    const channel = CHANNELS[entry.answer.channel]
    return (
      <p>
        {t(entry.answer.answer === 'confirmed' ? 'confirmed' : 'cancelled', { channel })}
        {pms}
      </p>
    )
  }
  if (action === 'reservation.created') return <p>{t('created', { actor })}</p>
  // The change whose mark the PMS replaced.
  const marked = status && earlier.find((one) => one.status?.to === status.from)
  return (
    <>
      {status ? (
        <p>
          {t(overruled ? 'sent' : 'status', {
            actor: overruled ? (marked?.actor ?? t(marked?.answer ? 'guest' : 'team')) : actor,
            from: statuses(status.from),
            to: statuses(status.to),
          })}
          {pms}
        </p>
      ) : null}
      {fields ? <p>{t(overruled ? 'replaced' : 'changed', { actor, fields })}</p> : null}
    </>
  )
}
