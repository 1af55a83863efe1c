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
import { useToast } from '@/components/ui/toast'
import type { InvitationLink } from '@/lib/team/schema'
import classes from './team.module.css'

/** The roles that the viewer may give, with a description of each, and the locations. */
export interface Choices {
  roles: { value: string; label: string; text: string }[]
  locations: { value: string; label: string }[]
}

export interface Person {
  id: string
  email: string
  full_name: string | null
  role: string | null
  location_ids: string[]
}

/** Invites a person, then shows the link, which is shown only once. */
export function InviteForm({ onClose, ...choices }: Choices & { onClose: () => void }) {
  const t = useTranslations('client.team')
  const router = useRouter()
  const [invited, setInvited] = useState<InvitationLink | null>(null)
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: ['email', 'full_name', 'location_ids'],
    at: { ALREADY_MEMBER: 'email', ALREADY_INVITED: 'email' },
    texts: { FORBIDDEN: t('problems.forbidden'), email: t('problems.email') },
  })

  const draft = useDraft('invitation:new', { form })

  async function invite(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const body = { email: String(fields.get('email')).trim(), ...personBody(fields) }
    const answer = await submit<InvitationLink>('POST', '/api/team/invitations', body)
    if (!answer.ok) return
    draft.saved()
    setInvited(answer.data)
    router.refresh()
  }

  if (invited !== null) {
    const role = choices.roles.find(({ value }) => value === invited.role)?.label ?? invited.role
    return <InvitationLinkDialog title={t('invitedTitle', { role })} link={invited} onClose={onClose} />
  }
  return (
    <Dialog title={t('invite')} onClose={onClose}>
      {draft.node}
      <form ref={form} onSubmit={invite} noValidate>
        <FormFields>
          <TextInput
            name="email"
            type="email"
            label={t('email')}
            error={errorAt('email')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            data-autofocus
          />
          <PersonFields {...choices} errorAt={errorAt} />
        </FormFields>
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} label={t('inviteAction')} />
      </form>
    </Dialog>
  )
}

/** Changes a person's name, role and locations. */
export function MemberForm({
  member,
  onClose,
  ...choices
}: Choices & { member: Person; onClose: () => void }) {
  const t = useTranslations('client.team')
  const say = useToast()
  const router = useRouter()
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: ['full_name', 'location_ids'],
    texts: { FORBIDDEN: t('problems.forbidden') },
  })

  const draft = useDraft(`member:${member.id}`, { form, loaded: member })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = personBody(new FormData(event.currentTarget))
    const answer = await submit('PATCH', `/api/team/${member.id}`, body)
    if (!answer.ok) return
    draft.saved()
    say(t('saved', { name: body.full_name ?? member.email }))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('edit', { name: member.full_name ?? member.email })} onClose={onClose}>
      {draft.node}
      <form ref={form} onSubmit={save} noValidate>
        <FormFields>
          <PersonFields {...choices} person={member} errorAt={errorAt} />
        </FormFields>
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} />
      </form>
    </Dialog>
  )
}

interface PersonFieldsProps extends Choices {
  /** Absent for a new person. */
  person?: Person
  errorAt: (path: string) => string | undefined
}

/** A person's name, role with its description, and locations (none ticked: all). */
function PersonFields({ roles, locations, person, errorAt }: PersonFieldsProps) {
  const t = useTranslations('client.team')
  const [role, setRole] = useState(person?.role ?? 'operaciones')
  return (
    <>
      <TextInput
        name="full_name"
        label={t('name')}
        defaultValue={person?.full_name ?? ''}
        error={errorAt('full_name')}
        autoComplete="off"
        maxLength={120}
      />
      <FormFields>
        <NativeSelect
          name="role"
          label={t('role')}
          description={roles.find(({ value }) => value === role)?.text}
          data={roles.map(({ value, label }) => ({ value, label }))}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
        />
        {locations.length > 0 ? (
          <fieldset className={classes.locations}>
            <legend>{t('locations')}</legend>
            <p>{t(role === 'sala' ? 'locationsNeeded' : 'locationsHint')}</p>
            {locations.map(({ value, label }) => (
              <Checkbox
                key={value}
                name="location_ids"
                value={value}
                label={label}
                defaultChecked={person?.location_ids.includes(value) ?? false}
              />
            ))}
            <Failure text={errorAt('location_ids') ?? null} />
          </fieldset>
        ) : null}
      </FormFields>
    </>
  )
}

/** The fields above as the API takes them. */
function personBody(fields: FormData) {
  return {
    role: String(fields.get('role')),
    full_name: String(fields.get('full_name') ?? '').trim() || null,
    location_ids: fields.getAll('location_ids').map(String),
  }
}

interface InvitationLinkDialogProps {
  title: string
  link: Pick<InvitationLink, 'email' | 'url' | 'mail'>
  onClose: () => void
}

/** The link of an invitation, shown only once, and whether its mail was sent. */
export function InvitationLinkDialog({ title, link, onClose }: InvitationLinkDialogProps) {
  const t = useTranslations('client.team')
  return (
    <ShowOnceDialog
      title={title}
      value={link.url}
      texts={{
        label: t('link'),
        hint: t('linkOnce'),
        lost: t('linkLost'),
        copy: t('copy'),
        copied: t('copied'),
        done: t('done'),
      }}
      onClose={onClose}
    >
      <p>{t(`mail.${link.mail}`, { email: link.email })}</p>
    </ShowOnceDialog>
  )
}

/** The link to a new password of a person, shown only once. */
export function PasswordLinkDialog({
  name,
  url,
  onClose,
}: {
  name: string
  url: string | null
  onClose: () => void
}) {
  const t = useTranslations('client.team')
  return (
    <ShowOnceDialog
      title={t('passwordLinkTitle')}
      value={url}
      texts={{
        label: t('passwordLinkLabel', { name }),
        hint: t('passwordLinkOnce'),
        lost: t('passwordLinkLost'),
        copy: t('copy'),
        copied: t('copied'),
        done: t('done'),
      }}
      onClose={onClose}
    />
  )
}
