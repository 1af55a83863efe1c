'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { FormActions } from '@/components/ui/form-layout'

/** The cancel and save buttons of a form in a dialog; `label` replaces "save". */
export function SubmitButtons({
  busy,
  onCancel,
  label,
}: {
  busy: boolean
  onCancel: () => void
  label?: string
}) {
  const t = useTranslations('client.form')
  return (
    <FormActions>
      <Button variant="default" onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={busy}>
        {label ?? t('save')}
      </Button>
    </FormActions>
  )
}
