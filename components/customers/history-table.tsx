import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { Note } from '@/components/ui/note'
import { StatusBadge } from '@/components/ui/status-badge'
import { calendarDate } from '@/lib/i18n/formats'
import type { HistoryEntry } from '@/lib/reservations/customer-history'

/** Reservations of one customer. */
export function HistoryTable({ entries }: { entries: readonly HistoryEntry[] }) {
  const t = useTranslations('customer.history')
  const format = useFormatter()
  return (
    <DataTable caption={t('title')}>
      <thead>
        <tr>
          <th scope="col">{t('date')}</th>
          <th scope="col" data-wide>
            {t('location')}
          </th>
          <th scope="col" data-num>
            {t('party')}
          </th>
          <th scope="col">{t('status')}</th>
          <th scope="col" data-wide>
            {t('notes')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <span data-nowrap>
                {format.dateTime(calendarDate(entry.reservation_date), 'date')}{' '}
                <small>{entry.reservation_time}</small>
              </span>
              <small data-narrow>{entry.location?.name}</small>
              <span data-narrow>
                <Note text={entry.notes} />
              </span>
            </td>
            <td data-wide>{entry.location?.name}</td>
            <td data-num>{entry.party_size}</td>
            <td>
              <StatusBadge status={entry.status} />
            </td>
            <td data-wide>
              <Note text={entry.notes} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}
