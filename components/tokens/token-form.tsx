'use client'
import { Button, Checkbox, CopyButton, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { type Messages, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { fieldOf, send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import type { MachinePermission } from '@/lib/auth/permissions'
import type { NewApiToken } from '@/lib/tokens/schema'
import classes from './token-form.module.css'

export interface Choices {
  permissions: readonly MachinePermission[]
  locations: readonly { value: string; label: string }[]
}

const DAYS = [30, 90, 365]

/** Makes a token; then shows it, which happens once. */
export default function TokenForm({ permissions, locations, onClose }: Choices & { onClose: () => void }) {
  const t = useTranslations('client.tokens')
  const form = useTranslations('client.form')
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [made, setMade] = useState<NewApiToken | null>(null)

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    const sent = await send<NewApiToken>('POST', '/api/tokens', {
      name: String(fields.get('name')).trim(),
      permissions: fields.getAll('permissions').map(String),
      location_ids: fields.getAll('location_ids').map(String),
      expires_in_days: Number(fields.get('days')),
    })
    setBusy(false)
    if (!sent.ok) return setProblem(problemOf(sent))
    setMade(sent.data)
    router.refresh()
  }

  if (made) return <SecretDialog token={made.token} onClose={onClose} />
  return (
    <Dialog title={t('create')} onClose={onClose}>
      <form onSubmit={create} noValidate>
        <FormFields>
          <TextInput
            name="name"
            label={t('name')}
            description={t('nameHint')}
            error={problem === 'name' ? t('problems.name') : undefined}
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
          </fieldset>
          {locations.length > 0 ? (
            <fieldset className={classes.choices}>
              <legend>{t('locations')}</legend>
              <p>{t('locationsHint')}</p>
              {locations.map(({ value, label }) => (
                <Checkbox key={value} name="location_ids" value={value} label={label} />
              ))}
            </fieldset>
          ) : null}
          <NativeSelect
            name="days"
            label={t('expires')}
            defaultValue="90"
            data={DAYS.map((days) => ({ value: String(days), label: t('days', { days }) }))}
          />
        </FormFields>
        <Failure text={problem && problem !== 'name' ? t(`problems.${problem}`) : null} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('createAction')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}

function SecretDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useTranslations('client.tokens')
  return (
    <Dialog title={t('createdTitle')} onClose={onClose}>
      <div role="status">
        <TextInput label={t('secret')} description={t('secretOnce')} value={token} readOnly />
      </div>
      <FormActions>
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose} autoFocus>
          {t('done')}
        </Button>
      </FormActions>
    </Dialog>
  )
}

type Problem = keyof Messages['client']['tokens']['problems']

/** The sentence for what the API refuses. */
function problemOf({ status, error }: { status: number; error: string }): Problem {
  if (status === 409) return 'too_many'
  if (status === 403) return 'forbidden'
  const field = fieldOf(error)
  if (field === 'name' || field === 'permissions') return field
  return field === 'location_ids' ? 'location' : 'failed'
}
