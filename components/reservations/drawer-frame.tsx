'use client'
import type { ReactNode } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { useTabHref, useTabRouter } from '@/components/ui/tab-address'

interface DrawerFrameProps {
  title: string
  /** The address without the drawer. */
  closed: string
  children: ReactNode
}

interface HistoryEntry {
  url: string | null
  index: number
}
// The Navigation API is not in TypeScript's DOM types yet, nor in every browser.
type WithNavigation = Window & { navigation?: { currentEntry: HistoryEntry; entries: () => HistoryEntry[] } }

/** A drawer that the address opens. Closing it goes back when the previous entry of the history is the page below. */
export function DrawerFrame({ title, closed, children }: DrawerFrameProps) {
  const router = useTabRouter()
  const below = useTabHref()(closed)

  function close() {
    const { navigation } = window as WithNavigation
    const before = navigation?.entries()[navigation.currentEntry.index - 1]?.url
    if (before === new URL(below, window.location.href).href) router.back()
    else router.replace(below, { scroll: false })
  }

  return (
    <Dialog title={title} side onClose={close}>
      {children}
    </Dialog>
  )
}
