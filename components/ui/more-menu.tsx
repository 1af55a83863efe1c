'use client'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import classes from './more-menu.module.css'

interface MoreMenuProps {
  label: string
  /** Links and buttons, stacked. */
  children: ReactNode
}

/**
 * A button with three dots that opens a menu of secondary actions. A native popover: Escape and a click elsewhere
 * close it.
 */
export function MoreMenu({ label, children }: MoreMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)

  /** Puts the menu below its button, positioned from the page's corner, so that it scrolls with the page. */
  function place({ currentTarget }: { currentTarget: HTMLElement }) {
    const { bottom, right } = currentTarget.getBoundingClientRect()
    menu.current?.style.setProperty('top', `${bottom + window.scrollY + 4}px`)
    menu.current?.style.setProperty('right', `${document.documentElement.clientWidth - right}px`)
  }

  return (
    <>
      <button
        type="button"
        className={classes.trigger}
        aria-label={label}
        title={label}
        popoverTarget={id}
        onClick={place}
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
