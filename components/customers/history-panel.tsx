import { IconCalendarOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { href } from '@/components/ui/query'
import type { Session } from '@/lib/auth/session'
import { customerHistory } from '@/lib/reservations/customer-history'
import { HistoryTable } from './history-table'

interface HistoryPanelProps {
  session: Session
  customerId: string
  cursor: string | undefined
}

/** A customer's reservations, the latest first. */
export async function HistoryPanel({ session, customerId, cursor }: HistoryPanelProps) {
  const t = await getTranslations('customer.history')
  const history = await fromCursor(cursor, (from) => customerHistory(session, customerId, { cursor: from }))
  const path = `/customers/${customerId}`
  return (
    <Panel title={t('title')} flush>
      {history.data.length > 0 ? (
        <HistoryTable entries={history.data} />
      ) : (
        <EmptyState icon={IconCalendarOff} title={t('none')} text={t('noneText')} />
      )}
      <Pager
        label={t('pages')}
        first={cursor ? { href: path, text: t('latest') } : null}
        next={
          history.next_cursor
            ? { href: href(path, { cursor: history.next_cursor }), text: t('earlier') }
            : null
        }
      />
    </Panel>
  )
}
