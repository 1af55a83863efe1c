'use client'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { FACT_KINDS, FACT_NOTE_LIMIT, FACTS, type FactCode } from '@/lib/customers/fact-codes'
import type { CustomerFacts } from '@/lib/customers/facts-schema'
import classes from './facts-form.module.css'
import { useSaveFacts } from './use-save-facts'

interface FactsFormProps extends CustomerFacts {
  customerId: string
  onSaved: () => void
  onClose: () => void
}

/** A customer's allergies, diets and preferences in a dialog, each with a note. The input stays until it is saved. */
export default function FactsForm({ customerId, facts, suggested, onSaved, onClose }: FactsFormProps) {
  const t = useTranslations('client.customerFacts')
  const names = useTranslations('client.facts')
  const form = useTranslations('client.form')
  const [chosen, setChosen] = useState<readonly FactCode[]>(() => facts.map(({ code }) => code))
  const [notes, setNotes] = useState<Partial<Record<FactCode, string>>>(() =>
    Object.fromEntries(facts.map(({ code, note }) => [code, note ?? ''])),
  )
  // The page may refresh below the dialog: compare with the facts that the person saw when it opened.
  const { loaded: before = facts, ...draft } = useDraft(`facts:${customerId}`, {
    loaded: facts,
    state: { chosen, notes },
    onState: (kept) => {
      setChosen(kept.chosen)
      setNotes(kept.notes)
    },
  })
  const { save, busy, failure, errorOf } = useSaveFacts(customerId)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const after = chosen.map((code) => ({ code, note: notes[code]?.trim() || null }))
    if (!(await save(before, after))) return
    draft.saved()
    onSaved()
    onClose()
  }

  const choose = (code: FactCode, isChosen: boolean) =>
    setChosen((others) => [...others.filter((other) => other !== code), ...(isChosen ? [code] : [])])

  return (
    <Dialog title={t('title')} onClose={onClose}>
      {draft.node}
      <form onSubmit={submit} noValidate>
        {FACT_KINDS.map((kind) => (
          <fieldset key={kind} className={classes.kind}>
            <legend>{t(`kinds.${kind}`)}</legend>
            {FACTS[kind].map((code) => (
              <div key={code} className={classes.fact} data-open={chosen.includes(code) || undefined}>
                <Checkbox
                  label={names(code)}
                  description={suggested.includes(code) ? t('fromNotes') : undefined}
                  checked={chosen.includes(code)}
                  onChange={(event) => choose(code, event.currentTarget.checked)}
                />
                {chosen.includes(code) ? (
                  <TextInput
                    size="xs"
                    label={t('note', { name: names(code) })}
                    value={notes[code] ?? ''}
                    maxLength={FACT_NOTE_LIMIT}
                    autoComplete="off"
                    error={errorOf(code)}
                    onChange={(event) => {
                      const { value } = event.currentTarget
                      setNotes((others) => ({ ...others, [code]: value }))
                    }}
                  />
                ) : null}
              </div>
            ))}
          </fieldset>
        ))}
        <Failure text={failure} />
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
