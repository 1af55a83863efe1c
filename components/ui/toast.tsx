'use client'
import { Button, CloseButton } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import classes from './toast.module.css'

const SHOWN_MS = 7000
const OFFERED_MS = 10_000
const MAX_SHOWN = 3

/** A toast's content. Without a tone it confirms a success. */
export interface ToastMessage {
  title?: string
  text: string
  tone?: 'done' | 'info' | 'warning' | 'problem'
  /** Whether it stays until the person closes it. */
  stays?: boolean
  /** An action, such as undo: offered for ten seconds, and longer while the toast has the pointer or the focus. */
  action?: { label: string; run: () => void }
}

interface Shown extends ToastMessage {
  id: number
}

const Toast = createContext<(message: string | ToastMessage) => void>(() => {})

/** Shows a message in a corner, and announces it to screen readers. */
export const useToast = () => useContext(Toast)

/** The area of the messages of `useToast`: the newest below, three at most, no duplicates. */
export function ToastArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const count = useRef(0)
  const show = useCallback((message: string | ToastMessage) => {
    const next = typeof message === 'string' ? { text: message } : message
    const id = ++count.current
    setShown((before) => {
      const others = before.filter(({ text, title }) => text !== next.text || title !== next.title)
      return [...others, { ...next, id }].slice(-MAX_SHOWN)
    })
  }, [])
  const close = useCallback((id: number) => setShown((before) => before.filter((one) => one.id !== id)), [])
  return (
    <Toast value={show}>
      {children}
      <div className={classes.area} role="status">
        {shown.map((message) => (
          <ToastBox key={message.id} message={message} onClose={close} />
        ))}
      </div>
    </Toast>
  )
}

function ToastBox({ message, onClose }: { message: Shown; onClose: (id: number) => void }) {
  const t = useTranslations('client.frame')
  const { id, title, text, tone, stays, action } = message
  const [held, setHeld] = useState(false)
  const hasAction = action !== undefined
  useEffect(() => {
    if (stays || held) return
    const timer = setTimeout(() => onClose(id), hasAction ? OFFERED_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, stays, held, hasAction, onClose])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timer
    <div
      className={classes.toast}
      data-tone={tone}
      onPointerEnter={() => setHeld(hasAction)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(hasAction)}
      onBlur={() => setHeld(false)}
    >
      <div>
        {title ? <strong className={classes.title}>{title}</strong> : null}
        {text}
      </div>
      {action ? (
        <Button
          variant="subtle"
          size="compact-sm"
          flex="none"
          onClick={() => {
            onClose(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <CloseButton size="sm" aria-label={t('close')} onClick={() => onClose(id)} />
    </div>
  )
}
