import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { SCOPES, type Scope } from '@/lib/calendar/scopes'
import classes from './event-form.module.css'

interface ScopeDialogProps {
  title: string
  text: string
  action: string
  danger?: boolean
  onConfirm: (scope: Scope) => Promise<string | null>
  onClose: () => void
}

/** Asks which events of a series a change or deletion applies to. */
export function ScopeDialog({ title, text, action, danger = false, onConfirm, onClose }: ScopeDialogProps) {
  const t = useTranslations('client.calendar')
  const [scope, setScope] = useState<Scope>('one')
  return (
    <ConfirmDialog {...{ title, text, action, danger, onClose }} onConfirm={() => onConfirm(scope)}>
      <fieldset className={classes.scopes} aria-label={t('scopes.label')}>
        {SCOPES.map((each) => (
          <label key={each}>
            <input type="radio" name="scope" checked={scope === each} onChange={() => setScope(each)} />
            {t(`scopes.${each}`)}
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}
