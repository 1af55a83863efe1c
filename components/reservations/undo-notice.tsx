'use client'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import classes from './drawer.module.css'

const SHOWN_MS = 10_000

/** The confirmation of a change, and how to undo it. */
export interface Done {
  text: string
  undo?: () => void
  /** Whether the change was made by keyboard: the undo button then gets the focus. */
  byKeyboard?: boolean
}

interface UndoNoticeProps {
  done: Done | null
  onGone: () => void
}

/**
 * The confirmation of a change, with a button that undoes it (or Ctrl/⌘ Z). It stays while it has the pointer or the
 * focus. It is inside the drawer, because the drawer covers the corner of the page.
 */
export function UndoNotice({ done, onGone }: UndoNoticeProps) {
  const t = useTranslations('client.booking')
  const line = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState(false)
  const leave = useEffectEvent(onGone)
  function undo() {
    // The button disappears, so the focus moves to the notice.
    if (line.current?.contains(document.activeElement)) line.current.focus()
    done?.undo?.()
  }
  const undoByKey = useEffectEvent(undo)

  useEffect(() => {
    if (!done || held) return
    const timer = setTimeout(() => leave(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [done, held])

  useEffect(() => {
    if (!done?.undo) return
    if (done.byKeyboard) line.current?.querySelector('button')?.focus()
    const press = (event: KeyboardEvent) => {
      const types = event.target instanceof Element && event.target.closest('input, textarea, select')
      if (types || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      undoByKey()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [done])

  return (
    <div
      ref={line}
      role="status"
      tabIndex={-1}
      className={classes.done}
      data-shown={done ? true : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{done?.text}</p>
      {done?.undo ? (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          aria-keyshortcuts="Control+Z Meta+Z"
          onClick={undo}
        >
          {t('undo')}
        </Button>
      ) : null}
    </div>
  )
}
