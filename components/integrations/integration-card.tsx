'use client'
import { Button, Switch, TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { NumberField } from '@/components/forms/number-field'
import { type Refusal, send } from '@/components/forms/send'
import { SignInAgain } from '@/components/forms/sign-in-again'
import { useDraft } from '@/components/forms/use-draft'
import { Badge } from '@/components/ui/badge'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Integration } from '@/lib/integrations/schema'
import { formProblem, type IntegrationType } from '@/lib/integrations/types'
import { ConnectionTest } from './connection-test'
import {
  bodyOf,
  draftOf,
  type Field,
  formFields,
  isStored,
  lostSecrets,
  problemTexts,
  withoutSecrets,
  withValue,
} from './fields'
import classes from './integration-card.module.css'
import { ProviderMark } from './provider-mark'
import { SecretField } from './secret-field'
import { TestMail } from './test-mail'
import { useLeft } from './use-left'

/** The message at each refused field. */
type FieldProblems = Partial<Record<Field['name'], string>>

/** The settings of one outside service, with the API's problems at the fields. */
export function IntegrationCard({ integration }: { integration: Integration }) {
  const t = useTranslations('client.integrations')
  const problemOf = useTranslations('client.integrations.problems')
  const form = useTranslations('client.form')
  const errors = useErrorText()
  const locale = useLocale()
  const say = useToast()
  const [saved, setSaved] = useState(integration)
  const [draft, setDraft] = useState(() => draftOf(integration, locale))
  const [problems, setProblems] = useState<FieldProblems>({})
  const [failure, setFailure] = useState<ReactNode>(null)
  const [busy, setBusy] = useState(false)
  const [saves, setSaves] = useState(0)
  const [unfolded, setUnfolded] = useState(false)
  const type = saved.integration_type
  const dirty = JSON.stringify(draft) !== JSON.stringify(draftOf(saved, locale))

  const typed = useDraft(`integration:${type}`, {
    state: withoutSecrets(type, draft),
    unkept: dirty,
    onState: ({ enabled, values }) => setDraft((now) => ({ enabled, values: { ...now.values, ...values } })),
  })

  function change(name: Field['name'], value: string | null | undefined) {
    setDraft((now) => withValue(saved, now, name, value))
    setProblems(({ [name]: _, ...others }) => others)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    const answer = await send<Integration>('PUT', `/api/integrations/${type}`, bodyOf(type, draft, locale), {
      stay: true,
    })
    setBusy(false)
    if (answer.ok) {
      const lost = lostSecrets(saved, answer.data, draft)
      setSaved(answer.data)
      setDraft(draftOf(answer.data, locale))
      typed.saved()
      setProblems(Object.fromEntries(lost.map((name) => [name, problemOf('moved')])))
      if (lost.length > 0) return setFailure(t('moved'))
      if (answer.data.is_enabled) setSaves((now) => now + 1)
      return say(t('saved', { name: t(`types.${type}.title`) }))
    }
    if (answer.code === 'UNAUTHORIZED') return setFailure(<SignInAgain />)
    setFailure(showIssues(answer) ? t('check') : errors.ofRefusal(answer))
  }

  /** Shows each problem at its field; false when there is none. */
  function showIssues({ issues }: Refusal): boolean {
    const texts = problemTexts(type, problemOf)
    const found = issues.flatMap((issue) => {
      const field = formFields(type).find(({ name }) => issue.path === `config.${name}`)
      return field ? [[field.name, errors.ofIssue({ ...issue, path: field.name }, texts)] as const] : []
    })
    setProblems(Object.fromEntries(found))
    return found.length > 0
  }

  const state = saved.is_enabled ? 'on' : 'off'
  const folded = formFields(type).filter(({ advanced }) => advanced)
  const input = (field: Field) => (
    <FieldInput
      key={field.name}
      field={field}
      type={type}
      stored={isStored(saved, field.name)}
      value={draft.values[field.name]}
      error={problems[field.name]}
      onChange={(value) => change(field.name, value)}
    />
  )
  return (
    <Panel
      title={t(`types.${type}.title`)}
      aside={
        <Badge tone={saved.is_enabled ? 'green' : 'neutral'} dot>
          {t(`state.${state}`)}
        </Badge>
      }
    >
      <form onSubmit={save} noValidate>
        {typed.node}
        <div className={classes.head}>
          <ProviderMark type={type} />
          <p>{t(`types.${type}.text`)}</p>
        </div>
        <FormFields>
          {formFields(type)
            .filter(({ advanced }) => !advanced)
            .map(input)}
          {folded.length > 0 ? (
            <details
              className={classes.fold}
              // A field with a problem must not stay folded away.
              open={unfolded || folded.some(({ name }) => problems[name] !== undefined)}
              onToggle={(event) => setUnfolded(event.currentTarget.open)}
            >
              <summary>{t('advanced')}</summary>
              <FormFields>{folded.map(input)}</FormFields>
            </details>
          ) : null}
          <Switch
            label={t('enabled')}
            checked={draft.enabled}
            onChange={(event) => {
              const enabled = event.currentTarget.checked
              setDraft((now) => ({ ...now, enabled }))
            }}
          />
        </FormFields>
        <Failure text={failure} />
        <FormActions
          aside={
            <>
              <ConnectionTest
                type={type}
                saves={saves}
                typed={dirty ? bodyOf(type, draft, locale).config : null}
                onIssues={showIssues}
              />
              {type === 'resend' ? <TestMail unsaved={dirty} /> : null}
            </>
          }
        >
          {dirty ? (
            <Button
              variant="default"
              onClick={() => {
                setDraft(draftOf(saved, locale))
                setProblems({})
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

interface FieldInputProps {
  field: Field
  type: IntegrationType
  /** Whether its secret is stored. */
  stored: boolean
  value: string | null | undefined
  error?: string
  onChange: (value: string | null | undefined) => void
}

/** A field with its plain name and the provider's own term. */
function FieldInput({
  field: { name, kind, number, hint, problem },
  type,
  stored,
  value,
  error: refused,
  onChange,
}: FieldInputProps) {
  const t = useTranslations('client.integrations')
  // Not at the first letters of a value: its form shows once it has been left.
  const [left, onBlur] = useLeft()
  const slip = left && formProblem(type, name, value ?? '') !== null
  const error = refused ?? (slip ? t(`problems.${problem ?? 'invalid'}`) : undefined)
  const label = t(`fields.${name}`, { type })
  const note = hint && t(`hints.${hint}`)
  if (kind === 'secret')
    return (
      <SecretField
        label={label}
        hint={note}
        error={error}
        stored={stored}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
      />
    )
  if (kind === 'number')
    return (
      <NumberField
        {...number}
        label={label}
        description={note}
        error={error}
        value={value ?? ''}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      label={label}
      description={note}
      error={error}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      autoComplete="off"
      spellCheck={false}
    />
  )
}
