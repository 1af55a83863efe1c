import { IconDownload, IconFilterOff, IconMailOff } from '@tabler/icons-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { DownloadLink } from '@/components/forms/download-link'
import { reasonText } from '@/components/messages/reason-text'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { CustomerLink } from '@/components/ui/customer-link'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { UrlSelect } from '@/components/ui/url-select'
import type { Session } from '@/lib/auth/session'
import { RECIPIENT_OUTCOMES, type RecipientOutcome } from '@/lib/campaigns/limits'
import type { CampaignRecipient } from '@/lib/campaigns/outcomes-schema'
import { listRecipients } from '@/lib/campaigns/recipients'
import type { Campaign } from '@/lib/campaigns/schema'
import { type CampaignView, campaignPage, recipientsExport } from './addresses'
import classes from './campaigns.module.css'
import { MessageName } from './message-name'

const PAGE = 25

interface RecipientsPanelProps {
  session: Session
  campaign: Campaign
  shown: CampaignView
}

/** To whom the campaign went and what came of it, by outcome; as a file for those who may download guests. */
export async function RecipientsPanel({ session, campaign, shown }: RecipientsPanelProps) {
  const { outcome, cursor } = shown
  const [t, page] = await Promise.all([
    getTranslations('campaigns.recipients'),
    fromCursor(cursor, (after) =>
      listRecipients(session, campaign.id, { outcome, cursor: after, limit: PAGE }),
    ),
  ])
  const linked = session.can('canAccessClientes')
  const address = campaignPage(campaign.id)
  return (
    <Panel
      title={t('title')}
      anchor="recipients"
      flush
      aside={
        <span className={classes.buttons}>
          <UrlSelect
            name="outcome"
            label={t('filter')}
            value={outcome ?? ''}
            options={[
              { value: '', label: t('all') },
              ...RECIPIENT_OUTCOMES.map((value) => ({ value, label: t(`outcomes.${value}`) })),
            ]}
          />
          {linked && page.data.length > 0 ? (
            <File campaign={campaign} outcome={outcome} confirm={session.second_factor.enrolled} />
          ) : null}
        </span>
      }
    >
      {page.data.length > 0 ? (
        <RecipientsTable recipients={page.data} campaign={campaign} linked={linked} />
      ) : (
        <EmptyState
          icon={outcome ? IconFilterOff : IconMailOff}
          title={t(outcome ? 'noMatch' : 'none')}
          text={t(outcome ? 'noMatchText' : 'noneText')}
        >
          {outcome ? <LinkButton href={`${address.href({})}#recipients`}>{t('clear')}</LinkButton> : null}
        </EmptyState>
      )}
      <Pager
        label={t('pages')}
        path={cursor}
        next={page.next_cursor}
        hrefAt={(path) => `${address.href({ outcome, cursor: path })}#recipients`}
        texts={{ first: t('firstPage'), next: t('nextPage') }}
      />
    </Panel>
  )
}

function File({
  campaign,
  outcome,
  confirm,
}: {
  campaign: Campaign
  outcome: RecipientOutcome | undefined
  confirm: boolean
}) {
  const t = useTranslations('campaigns.recipients')
  const language = useLocale()
  return (
    <DownloadLink
      href={recipientsExport(campaign.id).href({ outcome, format: 'csv', language })}
      confirm={confirm}
    >
      <IconDownload size={16} aria-hidden />
      {t('export')}
    </DownloadLink>
  )
}

const TONES: Record<RecipientOutcome, BadgeTone> = {
  sent: 'blue',
  delivered: 'green',
  opened: 'green',
  clicked: 'green',
  unsubscribed: 'amber',
  complained: 'red',
  bounced: 'red',
  failed: 'red',
  skipped: 'neutral',
  pending: 'neutral',
  simulated: 'neutral',
}

interface RecipientsTableProps {
  recipients: readonly CampaignRecipient[]
  campaign: Campaign
  linked: boolean
}

function RecipientsTable({ recipients, campaign, linked }: RecipientsTableProps) {
  const t = useTranslations('campaigns.recipients')
  const channels = useTranslations('client.campaigns.channels')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  const several = campaign.messages.some(({ variant }) => variant === 'b')
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('guest')}</th>
          <th scope="col" data-wide>
            {t('message')}
          </th>
          <th scope="col" data-wide>
            {t('when')}
          </th>
          <th scope="col">{t('outcome')}</th>
        </tr>
      </thead>
      <tbody>
        {recipients.map(({ id, customer_id, customer_name, step, variant, channel, reason, ...message }) => {
          const when = message.sent_at ? format.dateTime(new Date(message.sent_at), 'instant') : t('notSent')
          return (
            <tr key={id}>
              <th scope="row" className={classes.address}>
                <CustomerLink
                  id={linked ? customer_id : null}
                  name={customer_id === null ? t('gone') : customer_name}
                />
                <small data-narrow>
                  {channels(channel)} · {when}
                </small>
              </th>
              <td data-wide>
                <MessageName step={step} variant={variant} several={several} />
                <small className={classes.line}>{channels(channel)}</small>
              </td>
              <td data-wide data-nowrap>
                {when}
              </td>
              <td>
                <Badge tone={TONES[message.outcome]} dot>
                  {t(`one.${message.outcome}`)}
                </Badge>
                {reason && ['failed', 'skipped', 'bounced', 'pending'].includes(message.outcome) ? (
                  <small className={classes.line}>{reasonText(reasons, reason)}</small>
                ) : null}
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
