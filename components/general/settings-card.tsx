'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Organization } from '@/lib/organization/schema'
import {
  CARDS,
  changesOf,
  type Draft,
  draftOf,
  type FieldName,
  isNumber,
  NUMBERS,
  problemsOf,
  refusedField,
} from './fields'
import classes from './settings-card.module.css'

interface SettingsCardProps {
  card: keyof typeof CARDS
  organization: Organization
  /** What an empty horizon means. */
  usualHorizon: number
  /** How things stand, below the card's own text. */
  note?: string
}

/** Some settings of the organization that belong together, saved by themselves. */
export function SettingsCard({ card, organization, usualHorizon, note }: SettingsCardProps) {
  const t = useTranslations('client.general')
  const form = useTranslations('client.form')
  const say = useToast()
  const [saved, setSaved] = useState(() => draftOf(card, organization))
  const [draft, setDraft] = useState(saved)
  const [problems, setProblems] = useState<readonly FieldName[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const changes = changesOf(draft, saved)
  const dirty = Object.keys(changes).length > 0

  function change(name: FieldName, value: string) {
    setDraft((now): Draft => ({ ...now, [name]: value }))
    setProblems((now) => now.filter((other) => other !== name))
    setFailure(null)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const wrong = problemsOf(draft)
    setProblems(wrong)
    setFailure(wrong.length > 0 ? t('check') : null)
    if (wrong.length > 0) return
    setBusy(true)
    const answer = await send<Organization>('PATCH', '/api/organization', changes)
    setBusy(false)
    if (!answer.ok) {
      const refused = answer.status === 400 ? refusedField(draft, answer.error) : []
      setProblems(refused)
      return setFailure(refused.length > 0 ? t('check') : form(formProblem(answer.status)))
    }
    const stored = draftOf(card, answer.data)
    setSaved(stored)
    setDraft(stored)
    say(t('saved', { name: t(`cards.${card}.title`) }))
  }

  function errorAt(name: FieldName) {
    if (!problems.includes(name)) return undefined
    return isNumber(name) ? t('problems.days', NUMBERS[name]) : t('problems.time')
  }

  return (
    <Panel title={t(`cards.${card}.title`)}>
      <form onSubmit={save} noValidate>
        <p className={classes.text}>{t(`cards.${card}.text`)}</p>
        {note ? <p className={classes.text}>{note}</p> : null}
        <FormFields>
          {CARDS[card].map((names) => (
            <FormRow key={names[0]}>
              {names.map((name) => (
                <TextInput
                  key={name}
                  name={name}
                  label={t(`fields.${name}`)}
                  description={t(`hints.${name}`, { days: usualHorizon })}
                  error={errorAt(name)}
                  type={isNumber(name) ? 'text' : 'time'}
                  inputMode={isNumber(name) ? 'numeric' : undefined}
                  placeholder={name === 'horizon_days' ? String(usualHorizon) : undefined}
                  value={draft[name] ?? ''}
                  onChange={(event) => change(name, event.currentTarget.value)}
                  maxLength={isNumber(name) ? 10 : undefined}
                  autoComplete="off"
                />
              ))}
            </FormRow>
          ))}
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          {dirty ? (
            <Button
              variant="default"
              onClick={() => {
                setDraft(saved)
                setProblems([])
                setFailure(null)
              }}
            >
              {form('discard')}
            </Button>
          ) : null}
          <Button type="submit" loading={busy} disabled={!dirty}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Panel>
  )
}
