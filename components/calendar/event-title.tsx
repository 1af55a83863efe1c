import { IconRepeat } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { ShownEvent } from './load-events'

/** The title of an event, with a mark when it repeats. */
export function EventTitle({ event }: { event: ShownEvent }) {
  const t = useTranslations('calendar')
  if (!event.series_id) return event.title
  return (
    <>
      {event.title} <IconRepeat size={12} aria-hidden />
      <VisuallyHidden>, {t('repeats')}</VisuallyHidden>
    </>
  )
}
