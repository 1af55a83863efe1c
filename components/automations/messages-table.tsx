import { useFormatter, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { CustomerLink } from '@/components/ui/customer-link'
import { DataTable } from '@/components/ui/data-table'
import type { Message } from '@/lib/messaging/schema'
import classes from './messages-table.module.css'
import { reasonText } from './reason-text'
import { SettleActions } from './settle-actions'

const TONES: Record<Message['status'], BadgeTone> = {
  queued: 'neutral',
  sending: 'blue',
  sent: 'blue',
  delivered: 'green',
  failed: 'red',
  skipped: 'neutral',
  unknown: 'amber',
}

interface MessagesTableProps {
  messages: readonly Message[]
  /** Customers' names by their id. */
  names: ReadonlyMap<string, string | null>
  linked: boolean
}

/** Messages with whom they went to and what became of them; unknown ones can be settled. */
export function MessagesTable({ messages, names, linked }: MessagesTableProps) {
  const t = useTranslations('automations.messages')
  const words = useTranslations('client.automations')
  const reasons = useTranslations('client.automations.reasons')
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
          const { id, customer_id, recipient, channel, status, reason } = message
          const simulated = message.simulated && (status === 'sent' || status === 'delivered')
          const known = customer_id !== null && names.has(customer_id)
          const name = known ? names.get(customer_id) || recipient : t('gone')
          const when = format.dateTime(new Date(message.sent_at ?? message.created_at), 'instant')
          const told = reason !== null && ['failed', 'skipped', 'unknown', 'queued'].includes(status)
          return (
            <tr key={id}>
              <th scope="row" className={classes.who}>
                <CustomerLink id={known && linked ? customer_id : null} name={name} />
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
                <Badge tone={simulated ? 'neutral' : TONES[status]} dot>
                  {simulated ? t('simulated') : t(`states.${status}`)}
                </Badge>
                {told ? <small className={classes.reason}>{reasonText(reasons, reason)}</small> : null}
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
