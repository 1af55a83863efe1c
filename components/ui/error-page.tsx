'use client'
import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useTransition } from 'react'
import { StatePage } from './state-page'

interface ErrorPageProps {
  retry: () => void
  /** Guests have no administrators to tell. */
  forGuest?: boolean
}

/** What stands in for a page that could not be made; `retry` asks the server again. */
export function ErrorPage({ retry, forGuest = false }: ErrorPageProps) {
  const t = useTranslations('client.error')
  const [pending, startTransition] = useTransition()
  return (
    <StatePage icon={IconPlugConnectedX} title={t('title')} text={forGuest ? t('guest') : t('text')}>
      <Button onClick={() => startTransition(retry)} loading={pending}>
        {t('retry')}
      </Button>
    </StatePage>
  )
}
