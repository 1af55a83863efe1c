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
import { useToast } from '@/components/ui/toast'
import type { Person } from './member-actions'
import { type Choices, PersonFields, personBody } from './person-fields'
import { teamProblem } from './problems'

/** Changes a person's name, role and locations. */
export default function MemberForm({
  member,
  onClose,
  ...choices
}: Choices & { member: Person; onClose: () => void }) {
  const t = useTranslations('client.team')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setBusy(true)
    const body = personBody(new FormData(event.currentTarget))
    const sent = await send('PATCH', `/api/team/${member.id}`, body)
    setBusy(false)
    if (!sent.ok) {
      const problem = teamProblem(sent)
      return setFailure(problem ? t(`problems.${problem}`) : form(formProblem(sent.status)))
    }
    say(t('saved', { name: body.full_name ?? member.email }))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('edit', { name: member.full_name ?? member.email })} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <FormFields>
          <TextInput
            name="full_name"
            label={t('name')}
            defaultValue={member.full_name ?? ''}
            autoComplete="off"
            maxLength={120}
          />
          <PersonFields {...choices} initialRole={member.role} locationIds={member.location_ids} />
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
