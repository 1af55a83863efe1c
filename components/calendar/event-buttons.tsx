'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useOpenEvent } from './calendar-desk'
import type { ShownEvent } from './load-events'

/** The button that opens an empty event. */
export function NewEvent() {
  const t = useTranslations('client.calendar')
  const open = useOpenEvent()
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ date: null })}>
      {t('new')}
    </Button>
  )
}

/** The number of a day: a click begins an event on it. By keyboard that is what `NewEvent` is for. */
export function DayButton({ date, label, className }: { date: string; label: string; className?: string }) {
  const t = useTranslations('client.calendar')
  const open = useOpenEvent()
  const name = t('newOn', { date: label })
  return (
    <button
      type="button"
      tabIndex={-1}
      className={className}
      aria-label={name}
      title={name}
      onClick={() => open({ date })}
    >
      {Number(date.slice(8))}
    </button>
  )
}

/** An event; a click opens it. */
export function EventButton({
  event,
  className,
  children,
}: {
  event: ShownEvent
  className?: string
  children: ReactNode
}) {
  const open = useOpenEvent()
  return (
    <button type="button" className={className} onClick={() => open({ event })}>
      {children}
    </button>
  )
}
