import { IconHandStop } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { Sending } from '@/lib/automations/sending-schema'
import classes from './provider-note.module.css'

/** Says that all sending is stopped, since when and by whom; renders nothing while it is not. */
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
