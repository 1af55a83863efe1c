'use client'
import { Button, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import type { InvitationLink } from '@/lib/team/schema'
import InvitationLinkDialog from './invitation-link'
import { type Choices, PersonFields, personBody } from './person-fields'
import { teamProblem } from './problems'

/** Invites a person; then shows the link, which is not shown again. */
export default function InviteForm({ onClose, ...choices }: Choices & { onClose: () => void }) {
  const t = useTranslations('client.team')
  const form = useTranslations('client.form')
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ status: number; error: string } | null>(null)
  const [invited, setInvited] = useState<InvitationLink | null>(null)

  async function invite(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    const body = { email: String(fields.get('email')).trim(), ...personBody(fields) }
    const sent = await send<InvitationLink>('POST', '/api/team/invitations', body)
    setBusy(false)
    if (!sent.ok) return setAnswer(sent)
    setInvited(sent.data)
    router.refresh()
  }

  if (invited !== null)
    return <InvitationLinkDialog title={t('invitedTitle')} link={invited} onClose={onClose} />

  const problem = answer && teamProblem(answer)
  const atEmail = problem === 'email' || problem === 'member' || problem === 'invited'
  const other =
    answer && !atEmail ? (problem ? t(`problems.${problem}`) : form(formProblem(answer.status))) : null
  return (
    <Dialog title={t('invite')} onClose={onClose}>
      <form onSubmit={invite} noValidate>
        <FormFields>
          <TextInput
            name="email"
            type="email"
            label={t('email')}
            error={atEmail ? t(`problems.${problem}`) : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            data-autofocus
          />
          <TextInput name="full_name" label={t('name')} autoComplete="off" maxLength={120} />
          <PersonFields {...choices} initialRole="operaciones" locationIds={[]} />
        </FormFields>
        <Failure text={other} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('inviteAction')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
