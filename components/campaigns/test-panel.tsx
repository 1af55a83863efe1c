'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { PickedCustomer } from '@/components/customers/customer-picker'
import { TestSend } from '@/components/messages/test-send'
import { Panel } from '@/components/ui/panel'
import type { Campaign } from '@/lib/campaigns/schema'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { CHANNELS } from '@/lib/messaging/channels'

interface TestPanelProps {
  campaign: Campaign
  as: PickedCustomer | null
  /** Null: the guest's. */
  language: GuestLanguage | null
}

/** Sends one of the saved messages as a test, as the guest of the preview would get it. */
export function TestPanel({ campaign, as, language }: TestPanelProps) {
  const t = useTranslations('client.campaigns.test')
  const names = useTranslations('client.campaigns.names')
  const channels = useTranslations('client.automations.channels')
  const [at, setAt] = useState(0)
  const [wanted, setChannel] = useState<string>('')
  const message = campaign.messages[at] ?? campaign.messages[0]
  if (!message) return null
  const own = CHANNELS.filter((one) => one === message.channel || one === message.fallback_channel)
  const channel = own.find((one) => one === wanted) ?? message.channel
  const { step, variant } = message

  const nameOf = ({ step, variant }: typeof message) => {
    if (step > 1) return names('followUp', { number: step - 1 })
    return campaign.ab ? names(variant) : names('first')
  }
  return (
    <Panel title={t('title')}>
      <TestSend
        path={`/api/campaigns/${campaign.id}/test`}
        body={{ step, variant, ...(language ? { language } : {}) }}
        channel={channel}
        as={as}
      >
        {campaign.messages.length > 1 ? (
          <NativeSelect
            label={t('which')}
            data={campaign.messages.map((one, index) => ({ value: String(index), label: nameOf(one) }))}
            value={String(at)}
            onChange={(event) => setAt(Number(event.currentTarget.value))}
          />
        ) : null}
        {own.length > 1 ? (
          <NativeSelect
            label={t('channel')}
            data={own.map((value) => ({ value, label: channels(value) }))}
            value={channel}
            onChange={(event) => setChannel(event.currentTarget.value)}
          />
        ) : null}
      </TestSend>
    </Panel>
  )
}
