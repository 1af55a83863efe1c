import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { Automation } from '@/lib/automations/schema'
import type { Channel } from '@/lib/messaging/channels'
import classes from './sandbox-note.module.css'

interface SandboxNoteProps {
  automation: Pick<Automation, 'channel' | 'fallback_channel'>
  /** Channels without a provider. */
  sandbox: readonly Channel[]
}

/** Says that an automation's messages go nowhere yet; nothing when they do. */
export function SandboxNote({ automation: { channel, fallback_channel }, sandbox }: SandboxNoteProps) {
  const t = useTranslations('automations')
  const names = useTranslations('client.automations.channels')
  const dry = sandbox.filter((one) => one === channel || one === fallback_channel)
  if (dry.length === 0) return null
  return (
    <div className={classes.note}>
      <IconPlugConnectedX size={16} aria-hidden />
      <div>
        {dry.map((one) => (
          <p key={one}>{t('sandbox', { channel: names(one) })}</p>
        ))}
      </div>
    </div>
  )
}
