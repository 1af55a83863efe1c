import { useEffect, useState } from 'react'

const KEY = 'tables-view'
export const TABLE_VIEWS = ['time', 'plan'] as const
export type TableView = (typeof TABLE_VIEWS)[number]

/** How this device shows the tables: by time until the plan is chosen. */
export function useView(): [TableView, (view: TableView) => void] {
  const [view, setView] = useState<TableView>('time')
  // The server does not know the device.
  useEffect(() => {
    try {
      if (window.localStorage.getItem(KEY) === 'plan') setView('plan')
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  }, [])
  function choose(next: TableView) {
    setView(next)
    try {
      window.localStorage.setItem(KEY, next)
    } catch {
      // As above.
    }
  }
  return [view, choose]
}
