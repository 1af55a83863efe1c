'use client'
import { Button } from '@mantine/core'
import { IconLink, IconLogout, IconPencil, IconUserPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { RowActions } from '@/components/settings/row-actions'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'
import type { InvitationLink } from '@/lib/team/schema'
import type { Choices } from './person-fields'
import { teamProblem } from './problems'

const InviteForm = dynamic(() => import('./invite-form'))
const InvitationLinkDialog = dynamic(() => import('./invitation-link'))
const MemberForm = dynamic(() => import('./member-form'))
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

export interface Person {
  id: string
  email: string
  full_name: string | null
  role: string
  location_ids: string[]
}

/** The button that opens the invitation. */
export function Invite(choices: Choices) {
  const t = useTranslations('client.team')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('invite')}
      </Button>
      {open ? <InviteForm {...choices} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** What can be done with a person of the team: change them, sign them out, remove them. */
export function MemberActions({ member, ...choices }: Choices & { member: Person }) {
  const t = useTranslations('client.team')
  const [open, setOpen] = useState<'form' | 'sessions' | 'remove' | null>(null)
  const name = member.full_name ?? member.email
  const path = `/api/team/${member.id}`
  const remove = useChange('DELETE', path, t('removed', { name }))
  const endSessions = useChange('POST', `${path}/end-sessions`, t('sessionsEnded', { name }))
  return (
    <>
      <RowActions
        actions={[
          { label: t('edit', { name }), icon: IconPencil, onClick: () => setOpen('form') },
          { label: t('endSessions', { name }), icon: IconLogout, onClick: () => setOpen('sessions') },
          { label: t('remove', { name }), onClick: () => setOpen('remove') },
        ]}
      />
      {open === 'form' ? <MemberForm {...choices} member={member} onClose={() => setOpen(null)} /> : null}
      {open === 'sessions' ? (
        <ConfirmDialog
          title={t('endSessions', { name })}
          text={t('endSessionsText')}
          action={t('endSessionsAction')}
          onConfirm={endSessions}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === 'remove' ? (
        <ConfirmDialog
          title={t('remove', { name })}
          text={t('removeText')}
          action={t('removeAction')}
          onConfirm={remove}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  )
}

/** What can be done with an invitation: another link, or take it back. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const t = useTranslations('client.team')
  const form = useTranslations('client.form')
  const router = useRouter()
  const [open, setOpen] = useState<'link' | 'withdraw' | null>(null)
  const [link, setLink] = useState<InvitationLink | null>(null)
  const withdraw = useChange('DELETE', `/api/team/invitations/${id}`, t('withdrawn', { email }))

  async function renew(): Promise<string | null> {
    const sent = await send<InvitationLink>('POST', `/api/team/invitations/${id}/link`)
    if (!sent.ok) return problemText(sent, t, form)
    setLink(sent.data)
    router.refresh()
    return null
  }

  return (
    <>
      <RowActions
        actions={[
          { label: t('newLink', { email }), icon: IconLink, onClick: () => setOpen('link') },
          { label: t('withdraw', { email }), onClick: () => setOpen('withdraw') },
        ]}
      />
      {open === 'link' ? (
        <ConfirmDialog
          title={t('newLink', { email })}
          text={t('newLinkText')}
          action={t('newLinkAction')}
          onConfirm={renew}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {link ? (
        <InvitationLinkDialog title={t('newLinkTitle')} link={link} onClose={() => setLink(null)} />
      ) : null}
      {open === 'withdraw' ? (
        <ConfirmDialog
          title={t('withdraw', { email })}
          text={t('withdrawText')}
          action={t('withdrawAction')}
          onConfirm={withdraw}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  )
}

function useChange(method: 'DELETE' | 'POST', path: string, done: string) {
  const t = useTranslations('client.team')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  return async (): Promise<string | null> => {
    const sent = await send(method, path)
    if (!sent.ok) return problemText(sent, t, form)
    say(done)
    router.refresh()
    return null
  }
}

function problemText(
  answer: { status: number; error: string },
  t: ReturnType<typeof useTranslations<'client.team'>>,
  form: ReturnType<typeof useTranslations<'client.form'>>,
): string {
  const problem = teamProblem(answer)
  return problem ? t(`problems.${problem}`) : form(formProblem(answer.status))
}
