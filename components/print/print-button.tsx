'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'

/** Opens the browser's own print dialog; it is not on the paper. */
export function PrintButton() {
  const t = useTranslations('client.print')
  return <Button onClick={() => window.print()}>{t('print')}</Button>
}
