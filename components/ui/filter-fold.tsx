'use client'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import classes from './filter-fold.module.css'

interface FilterFoldProps {
  /** How many of the filters within are set. */
  active: number
  children: ReactNode
}

/** The button that opens a list's filters: over the list on a wide window, in line with it on a phone. */
export function FilterFold({ active, children }: FilterFoldProps) {
  const t = useTranslations('client.search')
  const [open, setOpen] = useState(false)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(active)

  // A chip that was pressed is gone with its filter: the keyboard goes on at the button.
  useEffect(() => {
    if (active < before.current && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true })
    before.current = active
  }, [active])

  useEffect(() => {
    if (!open) return
    function press(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus({ preventScroll: true })
    }
    function leave({ target }: Event) {
      // In line with the list it stays: closing it would move what is being pressed.
      const lies = box.current?.lastElementChild
      if (!lies || getComputedStyle(lies).position !== 'absolute') return
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('keydown', press)
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('keydown', press)
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [open])

  return (
    <div ref={box} className={classes.box}>
      <button
        ref={button}
        type="button"
        className={classes.fold}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <IconAdjustmentsHorizontal size={16} stroke={1.7} aria-hidden />
        {t('filters', { active })}
      </button>
      <div id={id} className={classes.panel} data-open={open || undefined}>
        {children}
      </div>
    </div>
  )
}
