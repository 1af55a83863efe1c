'use client'
import { useTranslations } from 'next-intl'

/** What a message of a campaign is called: the first one, one of its versions, or a follow-up. */
export function MessageName({
  step,
  variant,
  several,
}: {
  step: number
  variant: 'a' | 'b'
  several: boolean
}) {
  const t = useTranslations('client.campaigns.names')
  if (step > 1) return <>{t('followUp', { number: step - 1 })}</>
  return <>{several ? t(variant) : t('first')}</>
}
