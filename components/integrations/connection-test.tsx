'use client'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Answer, send } from '@/components/forms/send'
import type { IntegrationType, TestResult } from '@/lib/integrations/schema'
import classes from './connection-test.module.css'

interface ConnectionTestProps {
  type: IntegrationType
  unsaved: boolean
}

/** Tests the stored connection, and shows the result with advice. */
export function ConnectionTest({ type, unsaved }: ConnectionTestProps) {
  const t = useTranslations('client.integrations.test')
  const errors = useErrorText()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Answer<TestResult> | null>(null)

  // The result is about the saved connection, so it is hidden while there are unsaved changes.
  if (unsaved && result) setResult(null)

  async function test() {
    setBusy(true)
    setResult(null)
    setResult(await send<TestResult>('POST', `/api/integrations/${type}/test`))
    setBusy(false)
  }

  const works = result?.ok === true && result.data.success
  function textOf(answer: Answer<TestResult>): string {
    if (!answer.ok)
      return answer.code ? errors.ofRefusal(answer, { INTERNAL_ERROR: t('failed') }) : t('failed')
    return answer.data.success ? t('works') : t(`reasons.${answer.data.reason}`, { type })
  }

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
        data-result={result ? (works ? 'works' : 'fails') : undefined}
      >
        {unsaved ? t('saveFirst') : result && textOf(result)}
      </p>
    </div>
  )
}
