'use client'
import { Button, TextInput } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { PickedCustomer } from '@/components/customers/customer-picker'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, send } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import type { TestSend as Answer } from '@/lib/automations/schema'
import type { Channel } from '@/lib/messaging/channels'
import { reasonText } from './reason-text'
import classes from './test-send.module.css'

const MAX_COLLEAGUES = 5

interface TestSendProps {
  path: string
  /** What is sent beside the channel and to whom. */
  body: object
  channel: Channel
  /** The guest as whom it is sent; null: an example. */
  as?: PickedCustomer | null
  /** Receives a refusal that is about the message itself, and null when a test is sent. */
  onRefused?: (refusal: Refusal | null) => void
  /** Further choices. */
  children?: ReactNode
}

/** Sends a test: an e-mail to oneself or to colleagues, an SMS or WhatsApp to the phone typed. Saves nothing. */
export function TestSend({ path, body, channel, as = null, onRefused, children }: TestSendProps) {
  const t = useTranslations('client.testSend')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  const words = useErrorText()
  const [phone, setPhone] = useState('')
  const [colleagues, setColleagues] = useState('')
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<{ ok: boolean; text: string } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const isEmail = channel === 'email'

  async function test() {
    const to = colleagues.split(/[\s,;]+/).filter(Boolean)
    setDone(null)
    setProblem(null)
    if (isEmail && to.length > MAX_COLLEAGUES) return setProblem(t('tooMany'))
    setBusy(true)
    onRefused?.(null)
    const emails = to.length > 0 ? { to } : {}
    const sent = await send<Answer>('POST', path, {
      ...body,
      channel,
      ...(as ? { customer_id: as.id } : {}),
      ...(isEmail ? emails : { recipient: phone }),
    })
    setBusy(false)
    if (sent.ok) return setDone(inWords(sent.data))
    const own = sent.issues.find(({ path }) => path === 'recipient' || /^to\b/.test(path))
    if (own) return setProblem(own.path === 'recipient' ? t('phoneInvalid') : words.ofIssue(own))
    const [issue] = sent.issues
    if (issue && onRefused) return onRefused(sent)
    const general = t(sent.code === 'RATE_LIMITED' ? 'limited' : 'broken')
    setDone({ ok: false, text: issue ? words.ofIssue(issue) : general })
  }

  /** One sentence for all who got it, or one for each. */
  function inWords({ others = [], ...first }: Answer) {
    const all = [first, ...others]
    const isSent = ({ status, simulated }: (typeof all)[number]) => status === 'sent' && !simulated
    if (all.every(isSent))
      return { ok: true, text: t('sent', { recipient: format.list(all.map(({ recipient }) => recipient)) }) }
    const texts = all.map(({ status, recipient, reason, simulated }) =>
      t(simulated ? 'simulated' : status, { recipient, reason: reasonText(reasons, reason) }),
    )
    return { ok: all.every(({ status }) => status === 'sent'), text: texts.join(' ') }
  }

  return (
    <div className={classes.stack}>
      <p className={classes.hint}>
        {t(isEmail ? 'email' : 'phone')} {as ? t('as', { name: as.name }) : null}
      </p>
      <div className={classes.row}>
        {children}
        {isEmail ? (
          <TextInput
            label={t('to')}
            description={t('toHint')}
            inputMode="email"
            value={colleagues}
            onChange={(event) => setColleagues(event.currentTarget.value)}
            error={problem}
            maxLength={1300}
            autoComplete="off"
            className={classes.colleagues}
          />
        ) : (
          <TextInput
            type="tel"
            label={t('recipient')}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            error={problem}
            maxLength={30}
            autoComplete="tel"
          />
        )}
        <Button variant="default" onClick={test} loading={busy}>
          {t('action')}
        </Button>
      </div>
      <p role="status" className={classes.done}>
        {done?.ok ? done.text : null}
      </p>
      <Failure text={done && !done.ok ? done.text : null} />
    </div>
  )
}
