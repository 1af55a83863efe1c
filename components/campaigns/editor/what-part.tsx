'use client'
import { useTranslations } from 'next-intl'
import { MessageFields } from '@/components/automations/editor/message-step'
import { ChannelFields, Step } from '@/components/automations/editor/steps'
import type { ChannelTroubles } from '@/lib/messaging/providers'
import { type EmailSurroundings, messagePaths, type PartProps } from './draft'

interface WhatPartProps extends PartProps {
  troubles: ChannelTroubles
  /** The first message as one guest would get it, to count its SMS. */
  sample: string | null
  /** To how many guests the campaign would write; null while that is not known. */
  guests: number | null
  email: EmailSurroundings
}

/** The first message: its channel and what it says. */
export function WhatPart({ draft, change, errorAt, troubles, sample, guests, email }: WhatPartProps) {
  const t = useTranslations('client.campaignEditor')
  const { first: at } = messagePaths(draft)
  const message = {
    message: draft.first,
    change: (changes: Partial<typeof draft.first>) => change({ first: { ...draft.first, ...changes } }),
    errorAt,
    at,
  }
  return (
    <Step number={2} title={t('parts.what')}>
      <ChannelFields {...message} troubles={troubles} />
      <MessageFields {...message} {...email} sample={sample} guests={guests} type="campaign" />
    </Step>
  )
}
