'use client'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import classes from './more-menu.module.css'

/** How far from the edge of the screen the menu stays, in pixels. */
const MARGIN = 8

interface MoreMenuProps {
  label: string
  /** Whether it is a menu on a phone only: a wider window shows its links and buttons side by side. */
  phoneOnly?: boolean
  /** Links and buttons, stacked. */
  children: ReactNode
}

/**
 * A button with three dots that opens a menu of secondary actions. A native popover: Escape and a click elsewhere
 * close it.
 */
export function MoreMenu({ label, phoneOnly = false, children }: MoreMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)

  /**
   * Puts the open menu below its button, or above where the screen ends, and within its width; positioned from the page's corner, so that it
   * scrolls with the page.
   */
  function place() {
    const { style, offsetHeight: height, offsetWidth: width = 0 } = menu.current ?? {}
    const at = trigger.current?.getBoundingClientRect()
    if (!style || !height || !at) return
    const fits = at.bottom + 4 + height <= window.innerHeight || at.top < height + 4
    style.top = `${(fits ? at.bottom + 4 : at.top - height - 4) + window.scrollY}px`
    const page = document.documentElement.clientWidth
    style.right = `${Math.min(page - at.right, page - width - MARGIN)}px`
  }

  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={classes.trigger}
        data-phone={phoneOnly || undefined}
        aria-label={label}
        title={label}
        popoverTarget={id}
      >
        <IconDots size={18} aria-hidden />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only closes after a click on an item */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the items are buttons and links */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        className={classes.menu}
        data-phone={phoneOnly || undefined}
        onToggle={place}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('a, button'))
            menu.current?.hidePopover()
        }}
      >
        {children}
      </div>
    </>
  )
}
