'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import type { TestSend } from '@/lib/automations/test-send-schema'
import type { Channel } from '@/lib/messaging/channels'
import { reasonText } from '../reason-text'
import { type Problem, problemOf } from './problem'
import { Step } from './step'
import classes from './test-step.module.css'
import { fieldId } from './use-problems'

interface TestStepProps {
  channel: Channel
  body: object
  onProblem: (problem: Problem) => void
}

/** Sends the message to oneself, without saving anything. */
export function TestStep({ channel, body, onProblem }: TestStepProps) {
  const t = useTranslations('client.automationEditor')
  const reasons = useTranslations('client.automations.reasons')
  const [phone, setPhone] = useState('')
  const [busy, setBusy] = useState(false)
  const [badPhone, setBadPhone] = useState(false)
  const [done, setDone] = useState<{ ok: boolean; text: string } | null>(null)

  async function test() {
    setBusy(true)
    setBadPhone(false)
    setDone(null)
    const recipient = channel === 'email' ? {} : { recipient: phone }
    const sent = await send<TestSend>('POST', '/api/automations/test', {
      automation: body,
      channel,
      ...recipient,
    })
    setBusy(false)
    if (sent.ok) {
      const { status, recipient: to, reason, simulated } = sent.data
      const text = t(`test.${simulated ? 'simulated' : status}`, {
        recipient: to,
        reason: reasonText(reasons, reason),
      })
      return setDone({ ok: status === 'sent', text })
    }
    if (sent.error.startsWith('recipient')) return setBadPhone(true)
    const problem = problemOf(sent)
    if (problem) return onProblem(problem)
    setDone({ ok: false, text: t(sent.status === 429 ? 'test.limited' : 'test.broken') })
  }

  return (
    <Step number={5} title={t('steps.test')}>
      <p className={classes.hint}>{t(channel === 'email' ? 'test.email' : 'test.phone')}</p>
      <div className={classes.row}>
        {channel === 'email' ? null : (
          <TextInput
            id={fieldId('recipient')}
            type="tel"
            label={t('test.recipient')}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            error={badPhone ? t('test.badPhone') : undefined}
            maxLength={30}
            autoComplete="tel"
          />
        )}
        <Button variant="default" onClick={test} loading={busy}>
          {t('test.action')}
        </Button>
      </div>
      <p role="status" className={classes.done}>
        {done?.ok ? done.text : null}
      </p>
      <Failure text={done && !done.ok ? done.text : null} />
    </Step>
  )
}
