'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import type { ConsentBasis } from '@/lib/customers/consent'

export type Intent = 'optOut' | 'optIn' | 'change'
/** The fields that PATCH /api/customers/{id} takes for a channel. */
export interface ConsentWish {
  basis?: ConsentBasis
  opted_out?: boolean
  reason: string
}

const BASES: readonly ConsentBasis[] = ['opt_in', 'existing_customer', 'none']
const HOWS = ['inPerson', 'phone', 'writing', 'form', 'other'] as const

interface ConsentDialogProps {
  intent: Intent
  /** The name of the draft. */
  draftName: string
  /** The channel's name. */
  channel: string
  basis: ConsentBasis
  /** Records the consent. Resolves to null, or to the reason when it fails. */
  onSave: (wish: ConsentWish) => Promise<string | null>
  onClose: () => void
}

/** Asks for the evidence before a consent changes. The input stays until it is saved or discarded. */
export default function ConsentDialog({
  intent,
  draftName,
  channel,
  basis,
  onSave,
  onClose,
}: ConsentDialogProps) {
  const t = useTranslations('client.consent')
  const form = useTranslations('client.form')
  const [chosen, setChosen] = useState<ConsentBasis>(BASES.find((one) => one !== basis) ?? 'none')
  const [how, setHow] = useState<(typeof HOWS)[number]>('inPerson')
  const [detail, setDetail] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const draft = useDraft(draftName, {
    state: { chosen, how, detail },
    onState: (kept) => {
      setChosen(kept.chosen)
      setHow(kept.how)
      setDetail(kept.detail)
    },
  })

  async function save(event: FormEvent) {
    event.preventDefault()
    const said = detail.trim()
    setMissing(how === 'other' && said === '')
    if (how === 'other' && said === '') return
    const known = t(`hows.${how}`)
    const reason = how === 'other' ? said : said ? t('reason', { how: known, detail: said }) : known
    setBusy(true)
    const problem = await onSave(
      intent === 'change' ? { basis: chosen, reason } : { opted_out: intent === 'optOut', reason },
    )
    setBusy(false)
    if (problem) return setFailure(problem)
    draft.saved()
    onClose()
  }

  return (
    <Dialog title={t(`${intent}Title`, { channel })} onClose={onClose}>
      <form onSubmit={save} noValidate>
        {draft.node}
        <FormFields>
          {intent === 'change' ? (
            <NativeSelect
              label={t('basis')}
              data={BASES.filter((one) => one !== basis).map((value) => ({
                value,
                label: t(`bases.${value}`),
              }))}
              value={chosen}
              onChange={(event) => setChosen(event.currentTarget.value as ConsentBasis)}
              data-autofocus
            />
          ) : (
            <p>{t(`${intent}Text`, { channel })}</p>
          )}
          <NativeSelect
            label={t('how')}
            data={HOWS.map((value) => ({ value, label: t(`hows.${value}`) }))}
            value={how}
            onChange={(event) => setHow(event.currentTarget.value as (typeof HOWS)[number])}
            data-autofocus={intent === 'change' ? undefined : true}
          />
          <TextInput
            label={t('detail')}
            maxLength={300}
            value={detail}
            onChange={(event) => setDetail(event.currentTarget.value)}
            error={isMissing ? t('detailMissing') : undefined}
            autoComplete="off"
          />
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {form('cancel')}
          </Button>
          <Button type="submit" color={intent === 'optOut' ? 'red' : undefined} loading={busy}>
            {intent === 'change' ? form('save') : t(intent)}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
