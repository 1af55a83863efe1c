import { IconHandStop, IconPlugConnectedX } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { Automation, Sending } from '@/lib/automations/schema'
import { isMarketing } from '@/lib/automations/types'
import { CHANNELS } from '@/lib/messaging/channels'
import type { ChannelTroubles } from '@/lib/messaging/providers'
import classes from './automations.module.css'

/** A warning that all sending is stopped, with the time and the person. Renders nothing otherwise. */
export function SendingNote({ sending: { stopped_at, stopped_by } }: { sending: Sending }) {
  const t = useTranslations('automations.sending')
  const format = useFormatter()
  if (stopped_at === null) return null
  return (
    <div className={classes.note} role="note">
      <IconHandStop size={16} aria-hidden />
      <p>{t('stopped', { who: stopped_by ?? '', when: format.dateTime(new Date(stopped_at), 'instant') })}</p>
    </div>
  )
}

interface ProviderNoteProps {
  automations: readonly (Pick<Automation, 'channel' | 'fallback_channel'> & {
    type: Automation['type'] | 'campaign'
  })[]
  troubles: ChannelTroubles
}

/** Says why messages of these automations, or of a campaign, are not sent or only simulated; renders nothing when they are sent. */
export function ProviderNote({ automations, troubles }: ProviderNoteProps) {
  const t = useTranslations('automations.troubles')
  const names = useTranslations('client.automations.channels')
  const lines = CHANNELS.flatMap((channel) => {
    const users = automations.filter((one) => one.channel === channel || one.fallback_channel === channel)
    const trouble = troubles[channel]
    // A confirmation needs no unsubscribe link.
    const concerned = users.some(({ type }) => trouble !== 'no_app_url' || isMarketing(type))
    return trouble && concerned ? [{ channel, trouble }] : []
  })
  if (lines.length === 0) return null
  return (
    <div className={classes.note} role="note">
      <IconPlugConnectedX size={16} aria-hidden />
      <div>
        {lines.map(({ channel, trouble }) => (
          <p key={channel}>{t(trouble, { channel: names(channel) })}</p>
        ))}
      </div>
    </div>
  )
}
