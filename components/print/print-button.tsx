'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'

/** Opens the browser's print dialog. The button itself is not printed. */
export function PrintButton() {
  const t = useTranslations('client.print')
  return <Button onClick={() => window.print()}>{t('print')}</Button>
}
