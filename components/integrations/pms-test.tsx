'use client'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { send } from '@/components/settings/send'
import classes from './pms-test.module.css'
import { testReason } from './problems'

type Result = { success: true } | { success: false; error: string }

/** Tries the stored connection to the reservation system and says in words how it went. */
export function PmsTest({ unsaved }: { unsaved: boolean }) {
  const t = useTranslations('client.integrations.test')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result | null>(null)

  // What an older connection answered says nothing about the one being typed.
  if (unsaved && result) setResult(null)

  async function test() {
    setBusy(true)
    setResult(null)
    const answer = await send<Result>('POST', '/api/integrations/pms/test')
    setResult(answer.ok ? answer.data : { success: false, error: answer.error })
    setBusy(false)
  }

  const words = result?.success ? t('works') : result && t(`reasons.${testReason(result.error)}`)
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        onClick={test}
        loading={busy}
        disabled={unsaved}
        leftSection={<IconPlugConnected size={16} aria-hidden />}
      >
        {t('action')}
      </Button>
      <p
        role="status"
        className={classes.result}
        data-result={result ? (result.success ? 'works' : 'fails') : undefined}
      >
        {unsaved ? t('saveFirst') : words}
      </p>
    </div>
  )
}
