'use client'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { ShowOnceDialog } from '@/components/forms/show-once-dialog'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormFields } from '@/components/ui/form-layout'
import type { MachinePermission } from '@/lib/permissions'
import type { NewApiToken } from '@/lib/tokens/schema'
import classes from './tokens.module.css'

export interface Choices {
  permissions: readonly MachinePermission[]
  locations: readonly { value: string; label: string }[]
}

const DAYS = [30, 90, 365]

/** Creates a token, then shows it, which happens only once. */
export default function TokenForm({ permissions, locations, onClose }: Choices & { onClose: () => void }) {
  const t = useTranslations('client.tokens')
  const router = useRouter()
  const [created, setCreated] = useState<NewApiToken | null>(null)
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: ['name', 'permissions', 'location_ids'],
    texts: {
      FORBIDDEN: t('problems.forbidden'),
      name: t('problems.name'),
      permissions: t('problems.permissions'),
    },
  })

  const draft = useDraft('token:new', { form })

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const answer = await submit<NewApiToken>('POST', '/api/tokens', {
      name: String(fields.get('name')).trim(),
      permissions: fields.getAll('permissions').map(String),
      location_ids: fields.getAll('location_ids').map(String),
      expires_in_days: Number(fields.get('days')),
    })
    if (!answer.ok) return
    draft.saved()
    setCreated(answer.data)
    router.refresh()
  }

  if (created) return <SecretDialog token={created.token} onClose={onClose} />
  return (
    <Dialog title={t('create')} onClose={onClose}>
      <form ref={form} onSubmit={create} noValidate>
        {draft.node}
        <FormFields>
          <TextInput
            name="name"
            label={t('name')}
            description={t('nameHint')}
            error={errorAt('name')}
            autoComplete="off"
            maxLength={80}
            data-autofocus
          />
          <fieldset className={classes.choices}>
            <legend>{t('permissions')}</legend>
            {permissions.map((permission) => (
              <Checkbox
                key={permission}
                name="permissions"
                value={permission}
                label={t(`permissionTexts.${permission}`)}
              />
            ))}
            <Failure text={errorAt('permissions') ?? null} />
          </fieldset>
          {locations.length > 0 ? (
            <fieldset className={classes.choices}>
              <legend>{t('locations')}</legend>
              <p>{t('locationsHint')}</p>
              {locations.map(({ value, label }) => (
                <Checkbox key={value} name="location_ids" value={value} label={label} />
              ))}
              <Failure text={errorAt('location_ids') ?? null} />
            </fieldset>
          ) : null}
          <NativeSelect
            name="days"
            label={t('expires')}
            defaultValue="90"
            data={DAYS.map((days) => ({ value: String(days), label: t('days', { days }) }))}
          />
        </FormFields>
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} label={t('createAction')} />
      </form>
    </Dialog>
  )
}

function SecretDialog({ token, onClose }: { token: string | null; onClose: () => void }) {
  const t = useTranslations('client.tokens')
  return (
    <ShowOnceDialog
      title={t('createdTitle')}
      value={token}
      texts={{
        label: t('secret'),
        hint: t('secretOnce'),
        lost: t('secretLost'),
        copy: t('copy'),
        copied: t('copied'),
        done: t('done'),
      }}
      onClose={onClose}
    />
  )
}
