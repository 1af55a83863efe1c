'use client'
import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { z } from 'zod'
import { useErrorText } from '@/components/forms/error-text'
import { type Answer, send } from '@/components/forms/send'
import type { testMailSchema } from '@/lib/integrations/schema'
import classes from './connection-test.module.css'
import { useServiceName } from './service-name'

type Outcome = z.infer<typeof testMailSchema>

/** Sends a test mail to oneself with the stored settings, and says what became of it. */
export function TestMail({ unsaved = false }: { unsaved?: boolean }) {
  const t = useTranslations('client.integrations')
  const serviceOf = useServiceName()
  const errors = useErrorText()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer<Outcome> | null>(null)
  if (unsaved && answer) setAnswer(null)

  async function mail() {
    setBusy(true)
    setAnswer(null)
    setAnswer(await send<Outcome>('POST', '/api/integrations/test-mail'))
    setBusy(false)
    router.refresh()
  }

  const sent = answer?.ok === true && answer.data.success
  function textOf(given: Answer<Outcome>): string {
    if (!given.ok) return given.code ? errors.ofRefusal(given) : t('test.failed')
    const { success, reason, to } = given.data
    if (success) return t('testMail.sent', { to })
    return reason ? t(`test.reasons.${reason}`, serviceOf('resend')) : t('test.failed')
  }

  return (
    <div className={classes.test}>
      <Button
        variant="default"
        onClick={mail}
        loading={busy}
        disabled={unsaved}
        leftSection={<IconMail size={16} aria-hidden />}
      >
        {t('testMail.action')}
      </Button>
      <div role="status" className={classes.result}>
        <p data-result={answer ? (sent ? 'works' : 'fails') : undefined}>{answer && textOf(answer)}</p>
      </div>
    </div>
  )
}
