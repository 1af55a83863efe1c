'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useAskedToOpen } from '@/components/ui/use-asked-to-open'
import type { EventChoices } from './event-fields'
import type { ShownEvent } from './load-events'

const EventForm = dynamic(() => import('./event-form'), { ssr: false })

/** The event to edit, or the date (YYYY-MM-DD) of a new one. Null for a new one without a date. */
type Opened = { event: ShownEvent } | { date: string | null }

const Open = createContext<(what: Opened) => void>(() => {})

/** Opens the form of an event. */
const useOpenEvent = () => useContext(Open)

/** Holds the form that the calendar's buttons open. */
export function CalendarDesk({ choices, children }: { choices: EventChoices; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  useReopened('event:new', () => setOpened({ date: null }))
  return (
    <Open value={setOpened}>
      {children}
      {opened ? <EventForm {...opened} choices={choices} onClose={() => setOpened(null)} /> : null}
    </Open>
  )
}

/** The button that opens the form of a new event. */
export function NewEvent() {
  const t = useTranslations('client.calendar')
  const open = useOpenEvent()
  useAskedToOpen(() => open({ date: null }))
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ date: null })}>
      {t('new')}
    </Button>
  )
}

/** The number of a day; a click opens a new event on that day. Keyboard users have `NewEvent`. */
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

/** A button that opens an event. */
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
  useReopened(`event:${event.id}`, () => open({ event }))
  return (
    <button type="button" className={className} onClick={() => open({ event })}>
      {children}
    </button>
  )
}
