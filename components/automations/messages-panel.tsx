import { IconFilterOff, IconMailOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { href } from '@/components/ui/query'
import { UrlSelect } from '@/components/ui/url-select'
import type { Session } from '@/lib/auth/session'
import { customerNames } from '@/lib/customers/customer-names'
import { listMessages } from '@/lib/messaging/list-messages'
import { MESSAGE_STATUSES, type Message } from '@/lib/messaging/schema'
import classes from './messages-panel.module.css'
import { MessagesTable } from './messages-table'

const PAGE = 25

interface MessagesPanelProps {
  session: Session
  automationId: string
  filters: { status?: Message['status']; run?: string; cursor?: string; days?: string }
}

/** The automation's messages: to whom, and what became of each. */
export async function MessagesPanel({ session, automationId, filters }: MessagesPanelProps) {
  const { status, run, cursor, days } = filters
  const t = await getTranslations('automations.messages')
  const page = await fromCursor(cursor, (after) =>
    listMessages(session, { automation_id: automationId, run_id: run, status, cursor: after, limit: PAGE }),
  )
  const names = await customerNames(
    session,
    page.data.map(({ customer_id }) => customer_id),
  )
  const path = `/automations/${automationId}`
  const at = (after?: string) => `${href(path, { days, status, run, cursor: after })}#messages`
  const filtered = status !== undefined || run !== undefined
  const has = (...wanted: Message['status'][]) => page.data.some((message) => wanted.includes(message.status))
  return (
    <div id="messages" className={classes.anchor}>
      <Panel
        title={t('title')}
        flush
        aside={
          <span className={classes.filters}>
            {run ? <span>{t('ofRun')}</span> : null}
            <UrlSelect
              name="status"
              label={t('filter')}
              value={status ?? ''}
              options={[
                { value: '', label: t('all') },
                ...MESSAGE_STATUSES.map((value) => ({ value, label: t(`states.${value}`) })),
              ]}
            />
            {filtered ? (
              <LinkButton href={`${href(path, { days })}#messages`}>{t('clear')}</LinkButton>
            ) : null}
          </span>
        }
      >
        {has('unknown') ? <p className={classes.explain}>{t('unknown')}</p> : null}
        {page.data.length > 0 ? (
          <MessagesTable messages={page.data} names={names} linked={session.can('canAccessClientes')} />
        ) : (
          <EmptyState
            icon={filtered ? IconFilterOff : IconMailOff}
            title={t(filtered ? 'noMatch' : 'none')}
            text={t(filtered ? 'noMatchText' : 'noneText')}
          />
        )}
        {has('failed', 'skipped') ? <p className={classes.explain}>{t('retry')}</p> : null}
        <Pager
          label={t('pages')}
          first={cursor ? { href: at(), text: t('firstPage') } : null}
          next={page.next_cursor ? { href: at(page.next_cursor), text: t('nextPage') } : null}
        />
      </Panel>
    </div>
  )
}
