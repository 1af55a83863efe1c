import { IconFilterOff, IconMailOff } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Allergies } from '@/components/customers/allergy-badges'
import { MessageStatusBadge } from '@/components/messages/message-status'
import { reasonText } from '@/components/messages/reason-text'
import { CustomerLink } from '@/components/ui/customer-link'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { UrlSelect } from '@/components/ui/url-select'
import { onReplica, type Session } from '@/lib/auth/session'
import { type AutomationView, automationPage } from '@/lib/automations/filters'
import { readableEmail } from '@/lib/contact/readable-email'
import { type Allergy, allergiesOf } from '@/lib/customers/allergies'
import { customerNames } from '@/lib/customers/read-customer'
import { isFiltered } from '@/lib/http/page-address'
import { messageFilters } from '@/lib/messaging/filters'
import { listMessages } from '@/lib/messaging/messages'
import { MESSAGE_STATUSES, type Message } from '@/lib/messaging/schema'
import classes from './messages.module.css'
import { SettleActions } from './settle-actions'

const PAGE = 25

interface MessagesPanelProps {
  session: Session
  automationId: string
  shown: AutomationView
}

/** The automation's messages, with their customers and outcomes. */
export async function MessagesPanel({ session, automationId, shown }: MessagesPanelProps) {
  const { status, run_id, cursor, days, runs_cursor } = shown
  const [t, words] = await Promise.all([getTranslations('automations.messages'), getTranslations('messages')])
  const page = await fromCursor(cursor, (after) =>
    listMessages(onReplica(session), {
      automation_id: automationId,
      run_id,
      status,
      cursor: after,
      limit: PAGE,
    }),
  )
  const guests = page.data.map(({ customer_id }) => customer_id)
  const [names, allergies] = await Promise.all([customerNames(session, guests), allergiesOf(session, guests)])
  const address = automationPage(automationId)
  const filtered = isFiltered(messageFilters, shown)
  const has = (...wanted: Message['status'][]) => page.data.some((message) => wanted.includes(message.status))
  return (
    <div id="messages" className={classes.anchor}>
      <Panel
        title={t('title')}
        flush
        aside={
          <span className={classes.filters}>
            {run_id ? <span>{t('ofRun')}</span> : null}
            <UrlSelect
              name="status"
              label={t('filter')}
              value={status ?? ''}
              options={[
                { value: '', label: t('all') },
                ...MESSAGE_STATUSES.map((value) => ({ value, label: words(`status.${value}`) })),
              ]}
            />
            {filtered ? (
              <LinkButton href={`${address.href({ days, runs_cursor })}#messages`}>{t('clear')}</LinkButton>
            ) : null}
          </span>
        }
      >
        {has('unknown') ? <p className={classes.explain}>{t('unknown')}</p> : null}
        {page.data.length > 0 ? (
          <MessagesTable
            messages={page.data}
            names={names}
            allergies={allergies}
            linked={session.can('canAccessClientes')}
          />
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
          path={cursor}
          next={page.next_cursor}
          hrefAt={(path) => `${address.href({ ...shown, cursor: path })}#messages`}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      </Panel>
    </div>
  )
}

interface MessagesTableProps {
  messages: readonly Message[]
  /** Customers' names by their id. */
  names: ReadonlyMap<string, string | null>
  /** Their recorded allergies by their id. */
  allergies: ReadonlyMap<string, Allergy[]>
  linked: boolean
}

/** Messages with their customers and outcomes. Messages with an unknown outcome can be settled. */
function MessagesTable({ messages, names, allergies, linked }: MessagesTableProps) {
  const t = useTranslations('automations.messages')
  const words = useTranslations('client.automations')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('customer')}</th>
          <th scope="col" data-wide>
            {t('address')}
          </th>
          <th scope="col" data-wide>
            {t('when')}
          </th>
          <th scope="col">{t('status')}</th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => {
          const { id, customer_id, channel, status, reason } = message
          const recipient = message.recipient && readableEmail(message.recipient)
          const known = customer_id !== null && names.has(customer_id)
          const name = known ? names.get(customer_id) || recipient : t('gone')
          const when = format.dateTime(new Date(message.sent_at ?? message.created_at), 'instant')
          const hasReason = reason !== null && ['failed', 'skipped', 'unknown', 'queued'].includes(status)
          return (
            <tr key={id}>
              <th scope="row" className={classes.who}>
                <CustomerLink id={known && linked ? customer_id : null} name={name} />
                <Allergies allergies={known ? allergies.get(customer_id) : undefined} />
                <small data-narrow>
                  {words(`channels.${channel}`)} · {when}
                </small>
              </th>
              <td data-wide className={classes.address}>
                {recipient ?? t('noAddress')}
                <small>{words(`channels.${channel}`)}</small>
              </td>
              <td data-wide data-nowrap>
                {when}
              </td>
              <td>
                <MessageStatusBadge message={message} />
                {hasReason ? <small className={classes.reason}>{reasonText(reasons, reason)}</small> : null}
                {status === 'unknown' ? (
                  <SettleActions id={id} who={name ?? recipient ?? t('noAddress')} />
                ) : null}
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
