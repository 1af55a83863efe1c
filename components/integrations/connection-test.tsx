'use client'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Answer, type Refusal, send } from '@/components/forms/send'
import type { TestResult } from '@/lib/integrations/schema'
import type { IntegrationType } from '@/lib/integrations/types'
import classes from './connection-test.module.css'
import { PmsUnderstood } from './pms-understood'
import { useServiceName } from './service-name'

interface ConnectionTestProps {
  type: IntegrationType
  /** How often enabled settings were saved here: each time they are tested by itself. */
  saves?: number
  /** The settings that are typed and not saved; null when there are none. */
  typed: object | null
  /** Shows the problems of what is typed at its fields; false when they have none. */
  onIssues?: (refusal: Refusal) => boolean
}

/** Tests the stored connection, of a PMS also the typed one, and shows the result with advice. */
export function ConnectionTest({ type, saves = 0, typed, onIssues }: ConnectionTestProps) {
  const t = useTranslations('client.integrations.test')
  const serviceOf = useServiceName()
  const errors = useErrorText()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ of: string; answer: Answer<TestResult>; atFields: boolean } | null>(
    null,
  )
  const saveFirst = typed !== null && type !== 'pms'
  const subject = JSON.stringify(typed)

  // The result is about what was tested, so it is hidden once that has changed.
  if (result && result.of !== subject) setResult(null)

  async function test() {
    setBusy(true)
    setResult(null)
    const path = `/api/integrations/${type}/test`
    const answer = await send<TestResult>('POST', path, typed ? { config: typed } : undefined, {
      stay: typed !== null,
    })
    setResult({ of: subject, answer, atFields: !answer.ok && onIssues?.(answer) === true })
    setBusy(false)
    // The set-up list ticks or opens the step.
    router.refresh()
  }
  const testSaved = useEffectEvent(test)
  useEffect(() => {
    if (saves > 0) testSaved()
  }, [saves])

  const answer = result?.answer
  const found = answer?.ok ? answer.data : null
  function textOf(refused: Answer<TestResult>): string {
    if (refused.ok)
      return refused.data.success ? t('works') : t(`reasons.${refused.data.reason}`, serviceOf(type))
    if (result?.atFields) return t('checkFields')
    return refused.code ? errors.ofRefusal(refused, { INTERNAL_ERROR: t('failed') }) : t('failed')
  }

  return (
    <div className={classes.test}>
      <Button
        variant="default"
        onClick={test}
        loading={busy}
        disabled={saveFirst}
        leftSection={<IconPlugConnected size={16} aria-hidden />}
      >
        {t('action')}
      </Button>
      <div role="status" className={classes.result}>
        <p data-result={answer ? (found?.success ? 'works' : 'fails') : undefined}>
          {saveFirst ? t('saveFirst') : answer && textOf(answer)}
        </p>
        {found?.details ? <PmsUnderstood details={found.details} /> : null}
      </div>
    </div>
  )
}
