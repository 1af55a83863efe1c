import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** A finger holds a party so long before it moves: one that moves sooner scrolls. */
const HOLD_MS = 300
/** Pixels that a pointer moves before a mouse drags, or a finger scrolls. */
const SLOP = 8
/** So near to the edge of the screen, in pixels, the page scrolls so far a frame. */
const EDGE = 56
const STEP = 10

interface Held {
  /** The entry or the table that was pressed. */
  source: HTMLElement
  pointer: number
  touch: boolean
  party: string
  label: string
  x: number
  y: number
  isDragged: boolean
  /** Where it began, and whether it has left what was pressed: until then it is a tap, also a long one or one that slips. */
  start: { x: number; y: number }
  hasLeft: boolean
  over: Element | null
}

interface Drag {
  /** Contains the parties (`data-party`, with `data-label`) and the tables (`data-table`). */
  area: RefObject<HTMLElement | null>
  /** Follows the pointer. */
  ghost: RefObject<HTMLDivElement | null>
}

/**
 * Lets a party be dragged to a table: with a mouse, or with a finger that has held it. Nothing renders while it moves. Escape
 * cancels.
 * @param onDrop receives the party's id and the table's name
 */
export function useDrag(onDrop: (party: string, table: string) => void): Drag {
  const area = useRef<HTMLElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const drop = useEffectEvent(onDrop)

  useEffect(() => {
    const [root, label] = [area.current, ghost.current]
    if (!root || !label) return
    return dragWithin(root, label, (party, table) => drop(party, table))
  }, [])

  return { area, ghost }
}

function dragWithin(root: HTMLElement, ghost: HTMLElement, drop: (party: string, table: string) => void) {
  let held: Held | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  let isTouchOver = false
  /** Ends the wait for the button that is still down after Escape. */
  let letGo = new AbortController()

  function press(event: PointerEvent) {
    isTouchOver = false
    const source = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-party]') : null
    const { party, label } = source?.dataset ?? {}
    if (held || !source || !party || event.button !== 0 || !event.isPrimary) return
    const touch = event.pointerType === 'touch'
    const { pointerId: pointer, clientX: x, clientY: y } = event
    held = {
      ...{ source, pointer, touch, party, label: label ?? '', x, y, start: { x, y } },
      ...{ isDragged: false, hasLeft: false, over: null },
    }
    if (touch) timer = setTimeout(begin, HOLD_MS)
    for (const [name, listen] of during) window.addEventListener(name, listen as EventListener, true)
  }

  function begin() {
    if (!held) return
    held.isDragged = true
    ghost.textContent = held.label
    ghost.hidden = false
    root.dataset.dragging = held.party
    follow(held.x, held.y)
    frame = requestAnimationFrame(scroll)
  }

  function move(event: PointerEvent) {
    if (event.pointerId !== held?.pointer) return
    if (held.isDragged) return follow(event.clientX, event.clientY)
    if (!isFar(held, event.clientX, event.clientY)) return
    if (held.touch) return end()
    begin()
    follow(event.clientX, event.clientY)
  }

  function follow(x: number, y: number) {
    if (!held) return
    const below = document.elementFromPoint(x, y)
    const isOut = isFar(held, x, y) && !held.source.contains(below)
    Object.assign(held, { x, y, hasLeft: held.hasLeft || isOut })
    ghost.style.transform = `translate(${x}px, ${y}px)`
    const table = below?.closest('[data-table]') ?? null
    const over = table === held.source ? null : table
    if (over === held.over) return
    held.over?.removeAttribute('data-over')
    over?.setAttribute('data-over', '')
    held.over = over
  }

  /** At an edge of the screen the page moves along, and a wide plan sideways. */
  function scroll() {
    if (!held) return
    const { x, y } = held
    const towards = (at: number, size: number) => (at < EDGE ? -STEP : at > size - EDGE ? STEP : 0)
    const [dx, dy] = [towards(x, window.innerWidth), towards(y, window.innerHeight)]
    if (dy !== 0) window.scrollBy({ top: dy, behavior: 'instant' })
    if (dx !== 0)
      document.elementFromPoint(x, y)?.closest('[data-sideways]')?.scrollBy({ left: dx, behavior: 'instant' })
    if (dx !== 0 || dy !== 0) follow(x, y)
    frame = requestAnimationFrame(scroll)
  }

  function release(event: PointerEvent) {
    if (event.pointerId !== held?.pointer) return
    const { isDragged, hasLeft, over, party, touch, source } = held
    const table = over?.getAttribute('data-table')
    end()
    if (!isDragged || (!touch && !hasLeft)) return
    isTouchOver = touch
    // After a long press browsers make no click, or late.
    if (!hasLeft) source.click()
    swallowClick()
    if (hasLeft && table) drop(party, table)
  }

  function end() {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    held?.over?.removeAttribute('data-over')
    held = null
    ghost.hidden = true
    delete root.dataset.dragging
    for (const [name, listen] of during) window.removeEventListener(name, listen as EventListener, true)
  }

  function cancel(event: Event) {
    if (event instanceof PointerEvent && event.pointerId !== held?.pointer) return
    // What loses the focus is the window, not something in it.
    if (event.type === 'blur' && event.target !== window) return
    end()
  }

  function key(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !held?.isDragged) return
    event.stopPropagation()
    isTouchOver = held.touch
    cancel(event)
    // The button is still down: the click comes when it is let go, unless it is let go elsewhere.
    letGo.abort()
    letGo = new AbortController()
    const options = { capture: true, signal: letGo.signal }
    window.addEventListener('pointerup', swallowClick, options)
    for (const name of ['pointerup', 'pointercancel', 'pointerdown', 'blur'] as const)
      window.addEventListener(
        name,
        ({ type, target }) => (type !== 'blur' || target === window) && letGo.abort(),
        options,
      )
  }

  // A held finger opens a menu otherwise.
  const menu = (event: Event) => held?.touch && event.preventDefault()
  // Once a finger drags, the page stays; and what it lets go is no tap.
  const stay = (event: TouchEvent) => held?.isDragged && event.cancelable && event.preventDefault()
  function touchEnd(event: TouchEvent) {
    if (isTouchOver && event.cancelable) event.preventDefault()
    isTouchOver = false
  }

  const during = [
    ['pointermove', move],
    ['pointerup', release],
    ['pointercancel', cancel],
    ['keydown', key],
    ['contextmenu', menu],
    ['blur', cancel],
  ] as const
  root.addEventListener('pointerdown', press)
  root.addEventListener('touchmove', stay, { passive: false })
  root.addEventListener('touchend', touchEnd, { passive: false })
  return () => {
    end()
    letGo.abort()
    root.removeEventListener('pointerdown', press)
    root.removeEventListener('touchmove', stay)
    root.removeEventListener('touchend', touchEnd)
  }
}

const isFar = ({ start }: Held, x: number, y: number) => Math.hypot(x - start.x, y - start.y) >= SLOP

const swallow = (event: Event) => {
  event.preventDefault()
  event.stopPropagation()
}

/** The click that follows at once is the end of the drag; one after that is the person's. */
function swallowClick(): void {
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}
