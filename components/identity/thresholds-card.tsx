'use client'
import { Button } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { readNumber, showNumber } from '@/components/forms/numbers'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Identity } from '@/lib/identity/schema'
import { THRESHOLDS } from '@/lib/identity/thresholds'
import classes from './weights-panel.module.css'

const NAMES = ['likely', 'certain'] as const
type Name = (typeof NAMES)[number]
type Typed = Record<Name, string>

/** A share as a percentage that people can type; the database's `real` has seven digits. */
const percentOf = (probability: number, locale: string) =>
  showNumber(Number((probability * 100).toPrecision(6)), locale)
const typedOf = ({ likely, certain }: Pick<Identity, Name>, locale: string): Typed => ({
  likely: percentOf(likely, locale),
  certain: percentOf(certain, locale),
})
const PER_CENT = { decimals: 4 }
const bounds = (name: Name) => ({ min: THRESHOLDS[name].min * 100, max: THRESHOLDS[name].max * 100 })

/** The probabilities from which a pair is suggested, and from which it counts as certain. */
export function ThresholdsCard({
  likely,
  certain,
  notes,
}: Pick<Identity, Name> & { notes: readonly string[] }) {
  const t = useTranslations('client.identity')
  const common = useTranslations('client.form')
  const locale = useLocale()
  const say = useToast()
  const [typed, setTyped] = useState(() => typedOf({ likely, certain }, locale))
  const [invalid, setInvalid] = useState<readonly Name[]>([])
  const { form, busy, submit, clear, errorAt, failure } = useSubmit({
    fields: NAMES,
    texts: { likely: t('order'), certain: t('between', bounds('certain')) },
  })
  const draft = useDraft('identity-thresholds', { state: typed, onState: setTyped })

  const probabilityOf = (text: string) => (readNumber(text, locale, PER_CENT) ?? Number.NaN) / 100

  async function save(event: FormEvent) {
    event.preventDefault()
    const wrong = NAMES.filter((name) => {
      const { min, max } = THRESHOLDS[name]
      const value = probabilityOf(typed[name])
      return !(value >= min && value <= max)
    })
    setInvalid(wrong)
    if (wrong.length > 0) return
    const changes = { likely: probabilityOf(typed.likely), certain: probabilityOf(typed.certain) }
    const answer = await submit<Identity>('PATCH', '/api/identity', changes)
    if (!answer.ok) return
    setTyped(typedOf(answer.data, locale))
    draft.saved()
    say(t('saved'))
  }

  return (
    <Panel title={t('title')}>
      <form ref={form} onSubmit={save} noValidate>
        {draft.node}
        <div className={classes.intro}>
          <p>{t('text')}</p>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
        <FormFields>
          <FormRow>
            {NAMES.map((name) => (
              <NumberField
                {...PER_CENT}
                key={name}
                name={name}
                label={t(name)}
                description={t(`${name}Hint`, bounds(name))}
                error={invalid.includes(name) ? t('between', bounds(name)) : errorAt(name)}
                value={typed[name]}
                onChange={(value) => {
                  setTyped((now) => ({ ...now, [name]: value }))
                  setInvalid((now) => now.filter((other) => other !== name))
                  clear()
                }}
              />
            ))}
          </FormRow>
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          <Button type="submit" loading={busy} disabled={!draft.dirty}>
            {common('save')}
          </Button>
        </FormActions>
      </form>
    </Panel>
  )
}
