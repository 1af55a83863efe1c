'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { asChoices, useGuestLanguages } from '@/components/customers/use-guest-languages'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Organization } from '@/lib/organization/schema'
import classes from './settings-card.module.css'

const MAX_NAME = 120
const MAX_ADDRESS = 300

interface GroupCardProps {
  organization: Pick<Organization, 'name' | 'timezone' | 'language' | 'postal_address'>
  /** The time zones to choose from, passed by the server: server and browser know different ones. */
  timeZones: readonly string[]
}

type GroupFields = GroupCardProps['organization']

const draftOf = ({ name, timezone, language, postal_address }: GroupFields) => ({
  name,
  timezone,
  language: language as string,
  postal_address: postal_address ?? '',
})

/** The group's name, its time zone, the language of its messages and its postal address. */
export function GroupCard({ organization, timeZones }: GroupCardProps) {
  const t = useTranslations('client.general')
  const common = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [saved, setSaved] = useState(() => draftOf(organization))
  const [draft, setDraft] = useState(saved)
  const { form, busy, submit, refuse, clear, errorAt, failure } = useSubmit({
    fields: ['name', 'timezone', 'language', 'postal_address'],
    texts: {
      name: t('problems.name'),
      timezone: t('problems.timezone'),
      postal_address: t('problems.postal_address'),
    },
  })
  const typed = useDraft('settings:group', {
    state: draft,
    onState: (kept) => setDraft({ ...saved, ...kept }),
  })
  const moved = draft.postal_address !== saved.postal_address
  const languages = asChoices(useGuestLanguages())
  const dirty = (Object.keys(saved) as (keyof typeof saved)[]).some((name) => draft[name] !== saved[name])

  function change(changes: Partial<typeof draft>) {
    setDraft((now) => ({ ...now, ...changes }))
    clear()
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (draft.name.trim() === '') return refuse('name')
    if (moved && draft.postal_address.trim() === '') return refuse('postal_address')
    const { postal_address, ...rest } = draft
    const changes = { ...rest, ...(moved ? { postal_address } : {}) }
    const answer = await submit<Organization>('PATCH', '/api/organization', changes)
    if (!answer.ok) return
    const stored = draftOf(answer.data)
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
          <NativeSelect
            name="language"
            label={t('fields.language')}
            description={t('hints.language')}
            error={errorAt('language')}
            data={languages}
            value={draft.language}
            onChange={(event) => change({ language: event.currentTarget.value })}
          />
          <TextInput
            name="postal_address"
            label={t('fields.postal_address')}
            description={t('hints.postal_address')}
            error={errorAt('postal_address')}
            value={draft.postal_address}
            onChange={(event) => change({ postal_address: event.currentTarget.value })}
            maxLength={MAX_ADDRESS}
            autoComplete="street-address"
          />
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
