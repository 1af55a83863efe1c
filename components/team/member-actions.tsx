'use client'
import { Button } from '@mantine/core'
import { IconKey, IconLink, IconLogout, IconPencil, IconSend, IconUserPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useChange } from '@/components/forms/use-change'
import { RowActions } from '@/components/settings/row-actions'
import { useToast } from '@/components/ui/toast'
import type { InvitationLink, PasswordLink } from '@/lib/team/schema'
import type { Choices, Person } from './person-form'

const InviteForm = dynamic(() => import('./person-form').then((m) => m.InviteForm), { ssr: false })
const InvitationLinkDialog = dynamic(() => import('./person-form').then((m) => m.InvitationLinkDialog), {
  ssr: false,
})
const PasswordLinkDialog = dynamic(() => import('./person-form').then((m) => m.PasswordLinkDialog), {
  ssr: false,
})
const MemberForm = dynamic(() => import('./person-form').then((m) => m.MemberForm), { ssr: false })
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

/** The button that opens the form of an invitation. */
export function Invite(choices: Choices) {
  const t = useTranslations('client.team')
  const [open, setOpen] = useState(false)
  useReopened('invitation:new', () => setOpen(true))
  return (
    <>
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('invite')}
      </Button>
      {open ? <InviteForm {...choices} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** The actions for a team member: change, end sessions, a link to a new password, remove. */
export function MemberActions({ member, ...choices }: Choices & { member: Person }) {
  const t = useTranslations('client.team')
  const [open, setOpen] = useState<'form' | 'sessions' | 'link' | 'remove' | null>(null)
  const [link, setLink] = useState<PasswordLink | null>(null)
  useReopened(`member:${member.id}`, () => setOpen('form'))
  const name = member.full_name ?? member.email
  const path = `/api/team/${member.id}`
  const texts = { FORBIDDEN: t('problems.forbidden') }
  const change = useChange()
  const remove = () => change({ method: 'DELETE', path, done: t('removed', { name }), texts })
  const endSessions = () =>
    change({ method: 'POST', path: `${path}/end-sessions`, done: t('sessionsEnded', { name }), texts })
  const makeLink = () =>
    change<PasswordLink>({ method: 'POST', path: `${path}/password-link`, onDone: setLink, texts })
  return (
    <>
      <RowActions
        actions={[
          { label: t('edit', { name }), icon: IconPencil, onClick: () => setOpen('form') },
          { label: t('endSessions', { name }), icon: IconLogout, onClick: () => setOpen('sessions') },
          { label: t('passwordLink', { name }), icon: IconKey, onClick: () => setOpen('link') },
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
      {open === 'link' ? (
        <ConfirmDialog
          title={t('passwordLink', { name })}
          text={t('passwordLinkText')}
          action={t('passwordLinkAction')}
          onConfirm={makeLink}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {link ? <PasswordLinkDialog name={name} url={link.url} onClose={() => setLink(null)} /> : null}
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

interface InvitationActionsProps {
  id: string
  email: string
  /** The name of its role. */
  role: string
  /** Whether its link has not been mailed and can be now. */
  unsent: boolean
}

/** The actions for an invitation: mail it, another link, or withdraw it. */
export function InvitationActions({ id, email, role, unsent }: InvitationActionsProps) {
  const t = useTranslations('client.team')
  const say = useToast()
  const change = useChange()
  const [open, setOpen] = useState<'link' | 'withdraw' | null>(null)
  const [link, setLink] = useState<InvitationLink | null>(null)
  const path = `/api/team/invitations/${id}`
  const texts = { FORBIDDEN: t('problems.forbidden') }
  const withdraw = () => change({ method: 'DELETE', path, done: t('withdrawn', { email }), texts })
  const renew = (onDone: (link: InvitationLink) => void = setLink) =>
    change<InvitationLink>({ method: 'POST', path: `${path}/link`, onDone, texts })
  /** The token is not kept: the mail brings a new link. The dialog says so when the mail fails. */
  const mail = async () => {
    const problem = await renew((made) =>
      made.mail === 'sent' ? say(t('mailed', { email })) : setLink(made),
    )
    if (problem !== null) say(problem)
  }

  return (
    <>
      <RowActions
        actions={[
          ...(unsent ? [{ label: t('mailNowOf', { email }), icon: IconSend, onClick: mail }] : []),
          { label: t('newLink', { email }), icon: IconLink, onClick: () => setOpen('link') },
          { label: t('withdraw', { email }), onClick: () => setOpen('withdraw') },
        ]}
      />
      {open === 'link' ? (
        <ConfirmDialog
          title={t('newLink', { email })}
          text={t('newLinkText', { role })}
          action={t('newLinkAction')}
          onConfirm={() => renew()}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {link ? (
        <InvitationLinkDialog title={t('newLinkTitle', { role })} link={link} onClose={() => setLink(null)} />
      ) : null}
      {open === 'withdraw' ? (
        <ConfirmDialog
          title={t('withdraw', { email })}
          text={t('withdrawText', { role })}
          action={t('withdrawAction')}
          onConfirm={withdraw}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  )
}
