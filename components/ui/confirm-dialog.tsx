'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Dialog } from './dialog'
import { Failure } from './failure'
import { FormActions } from './form-layout'

interface ConfirmDialogProps {
  title: string
  /** What happens, and what is lost. */
  text: string
  action: string
  /** Whether the action removes something; the button is then red. */
  danger?: boolean
  /** Runs the action. Resolves to null, or to the reason when it fails. */
  onConfirm: () => Promise<string | null>
  onClose: () => void
  /** Further choices in the dialog. */
  children?: ReactNode
}

/** Asks before something that cannot be undone. After a failure it stays open and shows the reason. */
export function ConfirmDialog({
  title,
  text,
  action,
  danger = true,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const t = useTranslations('client.form')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    setFailure(null)
    const problem = await onConfirm()
    setBusy(false)
    if (problem) setFailure(problem)
    else onClose()
  }

  return (
    <Dialog title={title} alert onClose={onClose}>
      <p>{text}</p>
      {children}
      <Failure text={failure} />
      <FormActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
        <Button color={danger ? 'red' : undefined} loading={busy} onClick={confirm}>
          {action}
        </Button>
      </FormActions>
    </Dialog>
  )
}
