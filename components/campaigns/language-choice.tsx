'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { asChoices, useGuestLanguages } from '@/components/customers/use-guest-languages'
import type { Campaign } from '@/lib/campaigns/schema'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { languagesOf } from './languages'

interface LanguageChoiceProps {
  campaign: Pick<Campaign, 'messages'>
  group: GuestLanguage
  /** Null: that of the guest who is shown. */
  chosen: GuestLanguage | null
  onChoose: (language: GuestLanguage | null) => void
}

/** In which of its languages a campaign is shown; nothing where it has one only. */
export function LanguageChoice({ campaign, group, chosen, onChoose }: LanguageChoiceProps) {
  const t = useTranslations('client.campaigns.preview')
  const written = languagesOf(campaign)
  const offered = useGuestLanguages().filter(({ value }) => value === group || written.includes(value))
  if (written.length === 0) return null
  return (
    <NativeSelect
      label={t('language')}
      data={[{ value: '', label: t('ownLanguage') }, ...asChoices(offered)]}
      value={chosen ?? ''}
      onChange={(event) =>
        onChoose(offered.find(({ value }) => value === event.currentTarget.value)?.value ?? null)
      }
    />
  )
}
