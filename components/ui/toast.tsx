'use client'
import { CloseButton } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import classes from './toast.module.css'

const SHOWN_MS = 7000
const Toast = createContext<(text: string) => void>(() => {})

/** Says in a corner, and to screen readers, that something was done. */
export const useToast = () => useContext(Toast)

/** Where the messages of `useToast` appear; the last one replaces the one before. */
export function ToastArea({ children }: { children: ReactNode }) {
  const t = useTranslations('client.frame')
  const [message, setMessage] = useState<{ text: string } | null>(null)
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => setMessage(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <Toast value={(text) => setMessage({ text })}>
      {children}
      <div className={classes.area} role="status">
        {message ? (
          <div className={classes.toast}>
            {message.text}
            <CloseButton size="sm" aria-label={t('close')} onClick={() => setMessage(null)} />
          </div>
        ) : null}
      </div>
    </Toast>
  )
}
