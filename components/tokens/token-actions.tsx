'use client'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { RowActions } from '@/components/settings/row-actions'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'
import type { Choices } from './token-form'

const TokenForm = dynamic(() => import('./token-form'))
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** The button that opens the form for a new token. */
export function CreateToken(choices: Choices) {
  const t = useTranslations('client.tokens')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconKey size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('create')}
      </Button>
      {open ? <TokenForm {...choices} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** The button that ends a token, once it is confirmed. */
export function RevokeToken({ id, name }: { id: string; name: string }) {
  const t = useTranslations('client.tokens')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [open, setOpen] = useState(false)

  async function revoke(): Promise<string | null> {
    const sent = await send('DELETE', `/api/tokens/${id}`)
    if (!sent.ok) return form(formProblem(sent.status))
    say(t('revoked', { name }))
    router.refresh()
    return null
  }

  return (
    <>
      <RowActions actions={[{ label: t('revoke', { name }), onClick: () => setOpen(true) }]} />
      {open ? (
        <ConfirmDialog
          title={t('revoke', { name })}
          text={t('revokeText')}
          action={t('revokeAction')}
          onConfirm={revoke}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
