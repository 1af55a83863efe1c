'use client'
import dynamic from 'next/dynamic'
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { EventChoices } from './event-choices'
import type { ShownEvent } from './load-events'

const EventForm = dynamic(() => import('./event-form'))

/** An event to change, or the date (YYYY-MM-DD) of a new one; null: a new one at any time. */
type Opened = { event: ShownEvent } | { date: string | null }

const Open = createContext<(what: Opened) => void>(() => {})

/** Opens the form of an event. */
export const useOpenEvent = () => useContext(Open)

/** Where the form appears that the calendar's buttons open. */
export function CalendarDesk({ choices, children }: { choices: EventChoices; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <Open value={setOpened}>
      {children}
      {opened ? <EventForm {...opened} choices={choices} onClose={() => setOpened(null)} /> : null}
    </Open>
  )
}
