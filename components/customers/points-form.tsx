'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog } from '@/components/ui/dialog'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'

const KINDS = ['redeem', 'add', 'take'] as const
type Kind = (typeof KINDS)[number]
type Problem = 'points' | 'reason' | 'fewer'

interface PointsFormProps {
  customerId: string
  name: string
  balance: number
  onClose: () => void
}

/** Redeems or adjusts points: how many and why, then once more with the balance that would be left. */
export default function PointsForm({ customerId, name, balance, onClose }: PointsFormProps) {
  const t = useTranslations('client.customerForm.points')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [kind, setKind] = useState<Kind>('redeem')
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asked, setAsked] = useState(false)
  const points = /^\s*\d{1,7}\s*$/.test(typed) ? Number(typed) : null
  const left = points === null ? null : balance + (kind === 'add' ? points : -points)

  function ask(event: FormEvent) {
    event.preventDefault()
    const found = problemOf()
    setProblem(found)
    setAsked(found === null)
  }

  function problemOf(): Problem | null {
    if (points === null || left === null || points < 1 || points > 1_000_000) return 'points'
    if (kind !== 'add' && left < 0) return 'fewer'
    return reason.trim() === '' ? 'reason' : null
  }

  async function save(): Promise<string | null> {
    const amount = points ?? 0
    const sent = await send<{ balance: number }>('POST', `/api/customers/${customerId}/points`, {
      kind: kind === 'redeem' ? 'redeemed' : 'adjusted',
      points: kind === 'take' ? -amount : amount,
      reason: reason.trim(),
    })
    if (!sent.ok) {
      // Another person was quicker: the page shows what there is now.
      if (sent.status === 409) router.refresh()
      return sent.status === 409 ? t('problems.fewer') : form(formProblem(sent.status))
    }
    say(t(`done.${kind}`, { points: amount, balance: sent.data.balance }))
    router.refresh()
    onClose()
    return null
  }

  if (asked)
    return (
      <ConfirmDialog
        title={t(`confirm.${kind}`, { points: points ?? 0, name })}
        text={t('confirmText', { reason: reason.trim(), points: left ?? 0 })}
        action={t(`kinds.${kind}`)}
        danger={kind !== 'add'}
        onConfirm={save}
        onClose={() => setAsked(false)}
      />
    )
  const errorAt = (...problems: Problem[]) =>
    problem && problems.includes(problem) ? t(`problems.${problem}`) : undefined
  return (
    <Dialog title={t('title', { name })} onClose={onClose}>
      <form onSubmit={ask} noValidate>
        <FormFields>
          <FormRow>
            <NativeSelect
              label={t('kind')}
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value as Kind)}
              data={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            />
            <TextInput
              label={t('points')}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              maxLength={7}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={errorAt('points', 'fewer')}
              data-autofocus
            />
          </FormRow>
          <TextInput
            label={t('reason')}
            description={t('reasonHint')}
            value={reason}
            maxLength={300}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={errorAt('reason')}
          />
          <p role="status">
            {t('balance', { points: balance })}{' '}
            {left !== null && left >= 0 ? t('after', { points: left }) : null}
          </p>
        </FormFields>
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit">{t('next')}</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
