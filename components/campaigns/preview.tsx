'use client'
import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { MessageBubble } from '@/components/automations/editor/preview'
import shared from '@/components/automations/editor/preview.module.css'
import { AudienceCounts, PreviewFrame } from '@/components/automations/editor/preview-frame'
import { CustomerPicker, type PickedCustomer } from '@/components/customers/customer-picker'
import type { PreviewState } from '@/components/forms/use-preview'
import { reasonText } from '@/components/messages/reason-text'
import { CheckList } from '@/components/sending-check/check-list'
import { Link } from '@/components/ui/link'
import type { CampaignPreview } from '@/lib/campaigns/schema'
import { MessageName } from './message-name'
import classes from './preview.module.css'

interface PreviewPanelProps extends PreviewState<CampaignPreview> {
  /** The guest whose messages are shown; null: the first one. */
  as: PickedCustomer | null
  onAs: (customer: PickedCustomer | null) => void
  /** Whether the person may search customers. */
  canSearch: boolean
  /** Further choices of what is shown. */
  children?: ReactNode
}

/** How many guests would get it and why others would not, and each message as one guest would get it. */
export function PreviewPanel({ preview, as, onAs, canSearch, children, ...state }: PreviewPanelProps) {
  const t = useTranslations('client.campaigns.preview')
  return (
    <PreviewFrame title={t('title')} {...state}>
      {preview ? (
        <CheckList check={preview.check} nameOf={(index) => nameIn(preview.guest?.messages ?? [], index)} />
      ) : null}
      {preview ? <Counts preview={preview} /> : null}
      {canSearch ? <CustomerPicker name="question:as" label={t('as')} chosen={as} onPick={onAs} /> : null}
      {children}
      {preview ? <GuestMessages guest={preview.guest} /> : null}
    </PreviewFrame>
  )
}

/** The name of a message where there are several. */
function nameIn(messages: readonly { step: number; variant: 'a' | 'b' }[], index: number) {
  const message = messages.length > 1 ? messages[index] : undefined
  return message && <MessageName step={message.step} variant={message.variant} several={hasTest(messages)} />
}

/** The guests of the segment, those left out by reason, and how many would get which message. */
function Counts({ preview }: { preview: CampaignPreview }) {
  const t = useTranslations('client.campaigns.preview')
  const { matched, to_send, held_by_quiet_hours: held, skipped, variants } = preview
  return (
    <AudienceCounts
      matched={{ label: t('matched'), count: matched }}
      skipped={skipped}
      toSend={{ label: t('toSend'), count: to_send }}
      held={held}
      parts={[
        { label: t('sideA'), count: variants.b > 0 ? variants.a : 0 },
        { label: t('sideB'), count: variants.b },
        { label: t('rest'), count: variants.rest },
      ]}
    />
  )
}

/** Whether this guest gets the campaign, why not, and each message as they would get it. */
function GuestMessages({ guest }: { guest: CampaignPreview['guest'] }) {
  const t = useTranslations('client.campaigns.preview')
  const texts = useTranslations('client.automationEditor.preview')
  const format = useFormatter()
  if (!guest) return <p className={shared.dim}>{t('nobody')}</p>
  const { customer_id, customer_name, messages } = guest
  return (
    <section className={classes.guest} aria-label={t('guest')}>
      <p className={shared.for}>
        {t('asFor')}{' '}
        <Link href={`/customers/${customer_id}`} target="_blank" prefetch={false}>
          {customer_name ?? texts('someone')}
        </Link>
      </p>
      <Verdict guest={guest} />
      {messages.map((message) => (
        <div key={`${message.step}${message.variant}`}>
          <p className={classes.name}>
            <MessageName step={message.step} variant={message.variant} several={hasTest(messages)} />
            {message.gets && message.goes_at ? (
              <span>{t('from', { when: format.dateTime(new Date(message.goes_at), 'instant') })}</span>
            ) : null}
            {message.gets || guest.reason !== null ? null : <span>{t('otherVersion')}</span>}
          </p>
          <MessageBubble message={message} />
        </div>
      ))}
    </section>
  )
}

const hasTest = (messages: readonly { variant: string }[]) => messages.some(({ variant }) => variant === 'b')

/** Whether the guest would get it, in words. */
function Verdict({ guest }: { guest: NonNullable<CampaignPreview['guest']> }) {
  const { reason, group, messages } = guest
  const t = useTranslations('client.campaigns.preview')
  const reasons = useTranslations('client.messageReasons')
  if (reason !== null) {
    const own = OWN_REASONS.find((one) => one === reason)
    return (
      <p className={classes.verdict} data-tone="no">
        {t('not', { reason: own ? t(`why.${own}`) : reasonText(reasons, reason) })}
      </p>
    )
  }
  return (
    <p className={classes.verdict} data-tone="yes">
      {t(group === null || group === 'control' || !hasTest(messages) ? 'gets' : `getsIn.${group}`)}
    </p>
  )
}

const OWN_REASONS = ['not_in_segment', 'other_location', 'already_written'] as const
