import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { type BoardParty, GROUPS, type Group, type Groups } from './board-model'

/** The list is at rest when nobody has touched, scrolled or typed for so long. */
const REST_MS = 20_000
/** What keeps its height while somebody works: rows, and the waitlist. */
const KEPT = '[data-keep]'

type Places = Record<Group, string[]>

/**
 * The parties in the places that rows have; who has none comes last in their group.
 * @param all every party: one that has a place keeps it, also where it is no longer of the shift or search shown
 */
export function inPlaces(groups: Groups, places: Places, all: readonly BoardParty[]): Groups {
  const parties = new Map(all.map((party) => [party.id, party]))
  const placed = new Set(GROUPS.flatMap((group) => places[group]))
  const rowsOf = (group: Group): BoardParty[] => [
    ...places[group].flatMap((id) => parties.get(id) ?? []),
    ...groups[group].filter(({ id }) => !placed.has(id)),
  ]
  return Object.fromEntries(GROUPS.map((group) => [group, rowsOf(group)])) as Groups
}

/**
 * Keeps the list still under the finger. From the first touch on, each row keeps its group, its place and its height,
 * whatever its state becomes; the row touched last keeps its place on the screen. The list is sorted anew when it is opened
 * or shows something else (`scope`), and when it has been at rest.
 * @returns the groups to show, and a ref for the list
 */
export function usePlaces(groups: Groups, all: readonly BoardParty[], scope: string) {
  const list = useRef<HTMLDivElement>(null)
  const [kept, setKept] = useState<{ scope: string; places: Places } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const anchor = useRef<{ row: Element; top: number } | null>(null)
  const isKept = kept?.scope === scope
  const shown = isKept ? inPlaces(groups, kept.places, all) : groups

  const rest = useEffectEvent(() => {
    // Who works with the keyboard, or reads an open menu, is not at rest.
    if (list.current?.matches(':has(:focus-visible, :popover-open)')) return wait()
    setHeights([...(list.current?.querySelectorAll<HTMLElement>(KEPT) ?? [])], () => '')
    anchor.current = null
    setKept(null)
  })

  function wait() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => rest(), REST_MS)
  }

  const touch = useEffectEvent((event: Event) => {
    wait()
    if (event.type !== 'scroll') {
      const row = event.target instanceof Element ? event.target.closest(`li${KEPT}`) : null
      // A tap elsewhere, as on undo, leaves the row touched last where it is.
      const held = row ?? anchor.current?.row
      anchor.current = held?.isConnected ? { row: held, top: topOf(held) } : null
    }
    if (isKept) return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(KEPT) ?? [])]
    setHeights(rows, () => '')
    // All are measured before the first is changed, and not in whole pixels: that would move the rows below.
    const sizes = rows.map((row) => row.getBoundingClientRect().height)
    const heights = sizes.map((height) => (height > 0 ? `${height}px` : ''))
    setHeights(rows, (index) => heights[index] ?? '')
    const places = Object.fromEntries(GROUPS.map((group) => [group, groups[group].map(({ id }) => id)]))
    setKept({ scope, places: places as Places })
  })

  useEffect(() => {
    const listen = (event: Event) => touch(event)
    for (const name of TOUCHES) window.addEventListener(name, listen, { capture: true, passive: true })
    return () => {
      clearTimeout(timer.current)
      for (const name of TOUCHES) window.removeEventListener(name, listen, { capture: true })
    }
  }, [])

  // What comes or goes above the row touched last is made up for by scrolling.
  useLayoutEffect(() => {
    if (!isKept) anchor.current = null
    // A pasted search touches no row: what it finds has heights of its own.
    if (kept && !isKept) {
      setHeights([...(list.current?.querySelectorAll<HTMLElement>(KEPT) ?? [])], () => '')
      setKept(null)
    }
    const held = anchor.current
    if (!held?.row.isConnected) return
    const moved = topOf(held.row) - held.top
    held.top += moved
    if (moved === 0) return
    window.scrollBy({ top: moved, behavior: 'instant' })
    // An open menu stands on the page by itself, and stays beside its row.
    const menu = list.current?.querySelector<HTMLElement>(':popover-open')
    if (menu) menu.style.top = `${Number.parseFloat(menu.style.top) + moved}px`
  })

  return { shown, list }
}

const TOUCHES = ['pointerdown', 'keydown', 'scroll'] as const

function setHeights(rows: readonly HTMLElement[], heightOf: (index: number) => string): void {
  for (const [index, row] of rows.entries()) row.style.minHeight = heightOf(index)
}

/** How far down the page an element is, wherever the page is scrolled to. */
const topOf = (element: Element): number => element.getBoundingClientRect().top + window.scrollY
