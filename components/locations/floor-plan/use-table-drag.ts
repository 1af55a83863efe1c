import { type KeyboardEvent, type PointerEvent, type RefObject, useMemo, useRef, useState } from 'react'
import { type Box, inPlan } from '@/components/tables/plan-geometry'
import { PLAN } from '@/lib/locations/plan'
import { isFree } from './placing'
import { othersOf, type PlanTable } from './plan-tables'

/** A pointer that moves less than this many pixels taps. */
const SLACK = 4
/** The frame scrolls while a table is held this near to its edge, by so many pixels a frame. */
const EDGE = 28
const STEP = 10

/** A table that is being dragged: where it would stand, and whether it may. */
export interface Drag {
  id: number
  box: Box
  free: boolean
}

interface Held {
  id: number
  /** Another finger does not move it. */
  pointer: number
  from: { x: number; y: number }
  /** Where the pointer holds the table, in cells from its corner. */
  grip: { x: number; y: number }
  moved: boolean
  /** Where the pointer is now. */
  at: At
}

interface DragOptions {
  tables: readonly PlanTable[]
  /** What scrolls, and the plan within it. */
  frame: RefObject<HTMLElement | null>
  board: RefObject<HTMLElement | null>
  tray: RefObject<HTMLElement | null>
  onSelect: (id: number) => void
  onDrop: (id: number, box: Box) => void
  onTakeOff: (id: number) => void
  onArrow: (id: number, dx: number, dy: number) => void
}

export type TableHandlers = ReturnType<typeof useTableDrag>['handlers']

const ARROWS: Readonly<Record<string, [dx: number, dy: number]>> = {
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
}

/**
 * Dragging of tables with mouse, pen or finger, and the keys of a focused one: arrows move it, Delete takes it off the
 * plan. The handlers stay the same, so that tables that do not change do not render again.
 */
export function useTableDrag(options: DragOptions) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const held = useRef<Held | null>(null)
  const latest = useRef(options)
  latest.current = options

  const handlers = useMemo(() => {
    const table = (id: number) => latest.current.tables.find((each) => each.id === id)
    let frame = 0

    function stop() {
      cancelAnimationFrame(frame)
      held.current = null
      setDrag(null)
    }

    function down(id: number, event: PointerEvent<HTMLElement>) {
      const found = table(id)
      if (!found || event.button !== 0 || !event.isPrimary) return
      const at = cellAt(latest.current.board.current, event)
      const grip = found.box
        ? { x: at.x - found.box.x, y: at.y - found.box.y }
        : { x: found.size.width / 2, y: found.size.height / 2 }
      const { pointerId: pointer, clientX, clientY } = event
      const from = { x: clientX, y: clientY }
      cancelAnimationFrame(frame)
      held.current = { id, pointer, grip, from, moved: false, at: { clientX, clientY } }
      event.currentTarget.setPointerCapture(event.pointerId)
      // Not every browser gives a pressed button the focus.
      event.currentTarget.focus({ preventScroll: true })
      latest.current.onSelect(id)
    }

    /** Where the table that is held would stand; null beside the plan, and before it has moved. */
    function target(event: At): Box | null {
      const { current: now } = held
      const found = now && table(now.id)
      if (!now || !found) return null
      now.moved ||= Math.hypot(event.clientX - now.from.x, event.clientY - now.from.y) > SLACK
      if (!now.moved || !isOver(latest.current.frame.current, event)) return null
      const at = cellAt(latest.current.board.current, event)
      return inPlan({
        ...found.size,
        x: Math.round(at.x - now.grip.x),
        y: Math.round(at.y - now.grip.y),
      })
    }

    function move(event: PointerEvent<HTMLElement>) {
      const { current: now } = held
      if (event.pointerId !== now?.pointer) return
      const wasMoved = now.moved
      now.at = { clientX: event.clientX, clientY: event.clientY }
      show(now)
      if (now.moved && !wasMoved) frame = requestAnimationFrame(scroll)
    }

    /** At an edge the plan moves along, also while the pointer is held still. */
    function scroll() {
      const { current: now } = held
      if (!now || !table(now.id) || !latest.current.frame.current) return
      if (scrollAtEdge(latest.current.frame.current, now.at)) show(now)
      frame = requestAnimationFrame(scroll)
    }

    function show(now: Held) {
      const box = target(now.at)
      if (!now.moved) return
      setDrag((was) => {
        if (!box || (was?.box.x === box.x && was.box.y === box.y)) return box && was
        return { id: now.id, box, free: isFree(box, othersOf(latest.current.tables, now.id)) }
      })
    }

    function up(event: PointerEvent<HTMLElement>) {
      if (event.pointerId !== held.current?.pointer) return
      // A browser may leave out the last move before the pointer lifts.
      const box = target(event)
      const { current: now } = held
      stop()
      if (!now?.moved) return
      if (box) latest.current.onDrop(now.id, box)
      else if (isOver(latest.current.tray.current, event)) latest.current.onTakeOff(now.id)
    }

    function cancel(event: PointerEvent<HTMLElement>) {
      if (event.pointerId === held.current?.pointer) stop()
    }

    function key(id: number, event: KeyboardEvent<HTMLElement>) {
      if (event.key === 'Escape' && held.current) stop()
      const isPlaced = Boolean(table(id)?.box)
      const arrow = ARROWS[event.key]
      if (!isPlaced || event.altKey || event.ctrlKey || event.metaKey) return
      if (arrow) latest.current.onArrow(id, ...arrow)
      else if (event.key === 'Delete' || event.key === 'Backspace') latest.current.onTakeOff(id)
      else return
      // The frame would scroll.
      event.preventDefault()
    }

    return { down, move, up, key, cancel, select: (id: number) => latest.current.onSelect(id) }
  }, [])
  return { drag, handlers }
}

type At = Pick<PointerEvent, 'clientX' | 'clientY'>

/** The cell below the pointer, with its fraction. */
function cellAt(board: HTMLElement | null, { clientX, clientY }: At): { x: number; y: number } {
  if (!board) return { x: 0, y: 0 }
  const { left, top, width } = board.getBoundingClientRect()
  const cell = width / PLAN.columns
  return { x: (clientX - left) / cell, y: (clientY - top) / cell }
}

function isOver(element: HTMLElement | null, { clientX, clientY }: At): boolean {
  if (!element) return false
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
}

/** Scrolls the frame when the pointer is at its edge; returns whether it is. */
function scrollAtEdge(frame: HTMLElement | null, at: At): boolean {
  if (!frame || !isOver(frame, at)) return false
  const { clientX, clientY } = at
  const { left, right, top, bottom } = frame.getBoundingClientRect()
  const step = (at: number, from: number, to: number) =>
    at < from + EDGE ? -STEP : at > to - EDGE ? STEP : 0
  const [dx, dy] = [step(clientX, left, right), step(clientY, top, bottom)]
  if (dx !== 0 || dy !== 0) frame.scrollBy({ left: dx, top: dy, behavior: 'instant' })
  return dx !== 0 || dy !== 0
}
