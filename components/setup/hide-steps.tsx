'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'

/** Hides the first steps for the whole group; Settings → General shows them again. */
export function HideSteps() {
  const t = useTranslations('client.setupSteps')
  const change = useChange()
  const [failure, setFailure] = useState<string | null>(null)
  const hide = async () =>
    setFailure(
      await change({
        method: 'PATCH',
        path: '/api/organization',
        body: { show_setup: false },
        done: t('hidden'),
      }),
    )
  return (
    <>
      <Failure text={failure} />
      <Button size="compact-sm" variant="subtle" onClick={hide}>
        {t('hide')}
      </Button>
    </>
  )
}
