'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Organization } from '@/lib/organization/schema'
import classes from './settings-card.module.css'

const MAX_NAME = 120

interface GroupCardProps {
  organization: Pick<Organization, 'name' | 'timezone'>
  /** The time zones to choose from, passed by the server: server and browser know different ones. */
  timeZones: readonly string[]
}

/** The group's name, and its time zone. */
export function GroupCard({ organization: { name, timezone }, timeZones }: GroupCardProps) {
  const t = useTranslations('client.general')
  const common = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [saved, setSaved] = useState({ name, timezone })
  const [draft, setDraft] = useState(saved)
  const { form, busy, submit, refuse, clear, errorAt, failure } = useSubmit({
    fields: ['name', 'timezone'],
    texts: { name: t('problems.name'), timezone: t('problems.timezone') },
  })
  const typed = useDraft('settings:group', { state: draft, onState: setDraft })
  const dirty = draft.name !== saved.name || draft.timezone !== saved.timezone

  function change(changes: Partial<typeof draft>) {
    setDraft((now) => ({ ...now, ...changes }))
    clear()
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (draft.name.trim() === '') return refuse('name')
    const answer = await submit<Organization>('PATCH', '/api/organization', draft)
    if (!answer.ok) return
    const stored = { name: answer.data.name, timezone: answer.data.timezone }
    setSaved(stored)
    setDraft(stored)
    typed.saved()
    say(t('saved', { name: t('cards.group.title') }))
    // The server renders again what it had rendered before: the group's name in the header, and times in its time zone.
    router.refresh()
  }

  return (
    <Panel title={t('cards.group.title')}>
      <form ref={form} onSubmit={save} noValidate>
        {typed.node}
        <p className={classes.text}>{t('cards.group.text')}</p>
        <FormFields>
          <FormRow>
            <TextInput
              name="name"
              label={t('fields.name')}
              description={t('hints.name')}
              error={errorAt('name')}
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              maxLength={MAX_NAME}
              autoComplete="organization"
            />
            <NativeSelect
              name="timezone"
              label={t('fields.timezone')}
              description={t('hints.timezone')}
              error={errorAt('timezone')}
              data={[...timeZones]}
              value={draft.timezone}
              onChange={(event) => change({ timezone: event.currentTarget.value })}
            />
          </FormRow>
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          {dirty ? (
            <Button
              variant="default"
              onClick={() => {
                setDraft(saved)
                clear()
              }}
            >
              {common('discard')}
            </Button>
          ) : null}
          <Button type="submit" loading={busy} disabled={!dirty}>
            {common('save')}
          </Button>
        </FormActions>
      </form>
    </Panel>
  )
}
