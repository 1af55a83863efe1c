'use client'
import { CloseButton } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import classes from './dialog.module.css'

interface DialogProps {
  title: string
  /** A question that must be answered, not a form. */
  alert?: boolean
  /** Along the right edge, in full height: a look at one thing of the list beside it. */
  side?: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal window while it is rendered: the browser's own, which keeps the focus inside and gives it back. */
export function Dialog({ title, alert = false, side = false, onClose, children }: DialogProps) {
  const t = useTranslations('client.frame')
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // React's autoFocus comes too early: nothing within is shown yet.
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={classes.dialog}
      data-side={side || undefined}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        // A question above this one is cancelled alone.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        <CloseButton aria-label={t('close')} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
    </dialog>
  )
}
