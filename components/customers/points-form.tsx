'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { NumberField } from '@/components/forms/number-field'
import { readNumber } from '@/components/forms/numbers'
import { send } from '@/components/forms/send'
import { useDraft } from '@/components/forms/use-draft'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog } from '@/components/ui/dialog'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'

const KINDS = ['redeem', 'add', 'take'] as const
type Kind = (typeof KINDS)[number]
type Problem = 'points' | 'reason' | 'notEnough'

interface PointsFormProps {
  customerId: string
  name: string
  balance: number
  onClose: () => void
}

/** Redeems or adjusts points: how many and why, then a confirmation with the new balance. */
export default function PointsForm({ customerId, name, balance, onClose }: PointsFormProps) {
  const t = useTranslations('client.customerForm.points')
  const form = useTranslations('client.form')
  const errors = useErrorText()
  const say = useToast()
  const router = useRouter()
  const [kind, setKind] = useState<Kind>('redeem')
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asked, setAsked] = useState(false)
  const key = useRef<string>(null)
  const draft = useDraft(`points:${customerId}:new`, {
    state: { kind, typed, reason },
    onState: (kept) => {
      setKind(kept.kind)
      setTyped(kept.typed)
      setReason(kept.reason)
    },
  })
  const points = readNumber(typed, useLocale())
  const left = points === null ? null : balance + (kind === 'add' ? points : -points)

  function ask(event: FormEvent) {
    event.preventDefault()
    const found = problemOf()
    setProblem(found)
    setAsked(found === null)
  }

  function problemOf(): Problem | null {
    if (points === null || left === null || points < 1 || points > 1_000_000) return 'points'
    if (kind !== 'add' && left < 0) return 'notEnough'
    return reason.trim() === '' ? 'reason' : null
  }

  async function save(): Promise<string | null> {
    const amount = points ?? 0
    const body = {
      kind: kind === 'redeem' ? 'redeemed' : 'adjusted',
      points: kind === 'take' ? -amount : amount,
      reason: reason.trim(),
    }
    const sent = await send<{ balance: number }>('POST', `/api/customers/${customerId}/points`, body, { key })
    if (!sent.ok) {
      // Points were used in the meantime: reload the balance.
      if (sent.code === 'NOT_ENOUGH_POINTS') router.refresh()
      return errors.ofRefusal(sent)
    }
    draft.saved()
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
  const notEnough = problem === 'notEnough' && errors.ofRefusal({ code: 'NOT_ENOUGH_POINTS' })
  return (
    <Dialog title={t('title', { name })} onClose={onClose}>
      <form onSubmit={ask} noValidate>
        {draft.node}
        <FormFields>
          <FormRow>
            <NativeSelect
              label={t('kind')}
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value as Kind)}
              data={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            />
            <NumberField
              label={t('points')}
              value={typed}
              onChange={setTyped}
              error={problem === 'points' ? t('problems.points') : notEnough}
              data-autofocus
            />
          </FormRow>
          <TextInput
            label={t('reason')}
            description={t('reasonHint')}
            value={reason}
            maxLength={300}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={problem === 'reason' && t('problems.reason')}
          />
          <p role="status">
            {t('balance', { points: balance })}{' '}
            {left !== null && left >= 0 ? t('after', { points: left }) : null}
          </p>
        </FormFields>
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {form('cancel')}
          </Button>
          <Button type="submit">{t('next')}</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
