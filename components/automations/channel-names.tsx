import { useTranslations } from 'next-intl'
import type { Automation } from '@/lib/automations/schema'

/** By which channel an automation writes, and by which one otherwise. */
export function ChannelNames({
  automation: { channel, fallback_channel },
}: {
  automation: Pick<Automation, 'channel' | 'fallback_channel'>
}) {
  const t = useTranslations('automations')
  const names = useTranslations('client.automations.channels')
  return fallback_channel
    ? t('withFallback', { channel: names(channel), fallback: names(fallback_channel) })
    : names(channel)
}
