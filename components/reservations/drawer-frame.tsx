'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Dialog } from '@/components/ui/dialog'

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
// Not in TypeScript's DOM yet, nor in every browser.
type WithNavigation = Window & { navigation?: { currentEntry: HistoryEntry; entries: () => HistoryEntry[] } }

/** A window along the edge whose being open is in the address: closing it is going back, where one came from there. */
export function DrawerFrame({ title, closed, children }: DrawerFrameProps) {
  const router = useRouter()

  function close() {
    const { navigation } = window as WithNavigation
    const before = navigation?.entries()[navigation.currentEntry.index - 1]?.url
    if (before === new URL(closed, window.location.href).href) router.back()
    else router.replace(closed, { scroll: false })
  }

  return (
    <Dialog title={title} side onClose={close}>
      {children}
    </Dialog>
  )
}
