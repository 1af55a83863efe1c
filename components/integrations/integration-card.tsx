'use client'
import { Button, Switch, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { send } from '@/components/settings/send'
import { Badge } from '@/components/ui/badge'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Integration } from '@/lib/integrations/schema'
import { bodyOf, type Draft, draftOf, isStored, lostSecrets } from './draft'
import { FIELDS, type Field } from './fields'
import classes from './integration-card.module.css'
import { PmsTest } from './pms-test'
import { type FieldProblems, fieldProblems } from './problems'
import { SecretField } from './secret-field'

/** One outside service: its fields, whether it is on, and what the API objects to at the field concerned. */
export function IntegrationCard({ integration }: { integration: Integration }) {
  const t = useTranslations('client.integrations')
  const form = useTranslations('client.form')
  const say = useToast()
  const [saved, setSaved] = useState(integration)
  const [draft, setDraft] = useState(() => draftOf(integration))
  const [problems, setProblems] = useState<FieldProblems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const type = saved.integration_type
  const dirty = JSON.stringify(draft) !== JSON.stringify(draftOf(saved))

  function change(name: Field['name'], value: string | null | undefined) {
    setDraft((now): Draft => ({ ...now, values: { ...now.values, [name]: value } }))
    setProblems(({ [name]: _, ...others }) => others)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    const answer = await send<Integration>('PUT', `/api/integrations/${type}`, bodyOf(type, draft))
    setBusy(false)
    if (answer.ok) {
      const lost = lostSecrets(saved, answer.data, draft)
      setSaved(answer.data)
      setDraft(draftOf(answer.data))
      setProblems(Object.fromEntries(lost.map((name) => [name, 'moved'])))
      if (lost.length > 0) return setFailure(t('moved'))
      return say(t('saved', { name: t(`types.${type}.title`) }))
    }
    const found = fieldProblems(type, answer.error)
    setProblems(found)
    setFailure(Object.keys(found).length > 0 ? t('check') : form('failed'))
  }

  const state = saved.is_enabled ? 'on' : 'off'
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
        <p className={classes.text}>{t(`types.${type}.text`)}</p>
        <FormFields>
          {FIELDS[type].map(({ name, kind, hint }) => {
            const problem = problems[name]
            const shared = {
              label: t(`fields.${name}`),
              error: problem && t(`problems.${problem}`),
            }
            const note = hint && t(`hints.${hint}`)
            return kind === 'secret' ? (
              <SecretField
                key={name}
                {...shared}
                hint={note}
                stored={isStored(saved, name)}
                value={draft.values[name]}
                onChange={(value) => change(name, value)}
              />
            ) : (
              <TextInput
                key={name}
                {...shared}
                description={note}
                inputMode={kind === 'number' ? 'decimal' : undefined}
                value={draft.values[name] ?? ''}
                onChange={(event) => change(name, event.currentTarget.value)}
                autoComplete="off"
                spellCheck={false}
              />
            )
          })}
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
        <FormActions aside={type === 'pms' ? <PmsTest unsaved={dirty} /> : undefined}>
          {dirty ? (
            <Button
              variant="default"
              onClick={() => {
                setDraft(draftOf(saved))
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
