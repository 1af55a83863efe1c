'use client'
import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useTransition } from 'react'
import { StatePage } from './state-page'

/** What stands in for a page that could not be made; `retry` asks the server again. */
export function ErrorPage({ retry }: { retry: () => void }) {
  const t = useTranslations('client.error')
  const [pending, startTransition] = useTransition()
  return (
    <StatePage icon={IconPlugConnectedX} title={t('title')} text={t('text')}>
      <Button onClick={() => startTransition(retry)} loading={pending}>
        {t('retry')}
      </Button>
    </StatePage>
  )
}
