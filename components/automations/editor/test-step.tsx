'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type Refusal, send } from '@/components/forms/send'
import { reasonText } from '@/components/messages/reason-text'
import { Failure } from '@/components/ui/failure'
import type { TestSend } from '@/lib/automations/schema'
import type { Channel } from '@/lib/messaging/channels'
import { fieldId } from './problems'
import { Step } from './steps'
import classes from './steps.module.css'

interface TestStepProps {
  channel: Channel
  body: object
  /** The message at the phone number. */
  error: string | undefined
  /** Receives a refusal whose issues are about the editor's fields, and null when a test is sent. */
  onRefused: (refusal: Refusal | null) => void
}

/** Sends a test message: an e-mail to the person's own address, an SMS or WhatsApp to the phone typed. Saves nothing. */
export function TestStep({ channel, body, error, onRefused }: TestStepProps) {
  const t = useTranslations('client.automationEditor')
  const reasons = useTranslations('client.messageReasons')
  const [phone, setPhone] = useState('')
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<{ ok: boolean; text: string } | null>(null)

  async function test() {
    setBusy(true)
    onRefused(null)
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
    if (sent.issues.length > 0) return onRefused(sent)
    setDone({ ok: false, text: t(sent.code === 'RATE_LIMITED' ? 'test.limited' : 'test.broken') })
  }

  return (
    <Step number={5} title={t('steps.test')}>
      <p className={classes.hint}>{t(channel === 'email' ? 'test.email' : 'test.phone')}</p>
      <div className={classes.testRow}>
        {channel === 'email' ? null : (
          <TextInput
            id={fieldId('recipient')}
            type="tel"
            label={t('test.recipient')}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            error={error}
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
