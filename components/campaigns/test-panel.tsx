'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { reasonText } from '@/components/messages/reason-text'
import { Failure } from '@/components/ui/failure'
import { Panel } from '@/components/ui/panel'
import type { TestSend } from '@/lib/automations/schema'
import type { Campaign } from '@/lib/campaigns/schema'
import { CHANNELS } from '@/lib/messaging/channels'
import classes from './campaigns.module.css'

/** Sends one of the saved messages to oneself: an e-mail to one's own address, others to the phone typed. */
export function TestPanel({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('client.campaigns.test')
  const names = useTranslations('client.campaigns.names')
  const channels = useTranslations('client.automations.channels')
  const tests = useTranslations('client.automationEditor.test')
  const reasons = useTranslations('client.messageReasons')
  const words = useErrorText()
  const [at, setAt] = useState(0)
  const [wanted, setChannel] = useState<string>('')
  const [phone, setPhone] = useState('')
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<{ ok: boolean; text: string } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const message = campaign.messages[at] ?? campaign.messages[0]
  if (!message) return null
  const own = CHANNELS.filter((one) => one === message.channel || one === message.fallback_channel)
  const channel = own.find((one) => one === wanted) ?? message.channel

  async function test() {
    if (!message) return
    setBusy(true)
    setDone(null)
    setProblem(null)
    const { step, variant } = message
    const recipient = channel === 'email' ? {} : { recipient: phone }
    const body = { step, variant, channel, ...recipient }
    const sent = await send<TestSend>('POST', `/api/campaigns/${campaign.id}/test`, body)
    setBusy(false)
    if (sent.ok) {
      const { status, recipient: to, reason, simulated } = sent.data
      const text = tests(simulated ? 'simulated' : status, {
        recipient: to,
        reason: reasonText(reasons, reason),
      })
      return setDone({ ok: status === 'sent', text })
    }
    if (sent.issues.some(({ path }) => path === 'recipient')) return setProblem(t('recipient'))
    const [issue] = sent.issues
    const general = sent.code === 'RATE_LIMITED' ? tests('limited') : tests('broken')
    setDone({ ok: false, text: issue ? words.ofIssue(issue) : general })
  }

  const nameOf = ({ step, variant }: typeof message) => {
    if (step > 1) return names('followUp', { number: step - 1 })
    return campaign.ab ? names(variant) : names('first')
  }
  return (
    <Panel title={t('title')}>
      <div className={classes.stack}>
        <p className={classes.hint}>{tests(channel === 'email' ? 'email' : 'phone')}</p>
        <div className={classes.fields}>
          {campaign.messages.length > 1 ? (
            <NativeSelect
              label={t('which')}
              data={campaign.messages.map((one, index) => ({ value: String(index), label: nameOf(one) }))}
              value={String(at)}
              onChange={(event) => setAt(Number(event.currentTarget.value))}
            />
          ) : null}
          {own.length > 1 ? (
            <NativeSelect
              label={t('channel')}
              data={own.map((value) => ({ value, label: channels(value) }))}
              value={channel}
              onChange={(event) => setChannel(event.currentTarget.value)}
            />
          ) : null}
          {channel === 'email' ? null : (
            <TextInput
              type="tel"
              label={tests('recipient')}
              value={phone}
              onChange={(event) => setPhone(event.currentTarget.value)}
              error={problem}
              maxLength={30}
              autoComplete="tel"
            />
          )}
          <Button variant="default" onClick={test} loading={busy}>
            {tests('action')}
          </Button>
        </div>
        <p role="status" className={classes.done}>
          {done?.ok ? done.text : null}
        </p>
        <Failure text={done && !done.ok ? done.text : null} />
      </div>
    </Panel>
  )
}
