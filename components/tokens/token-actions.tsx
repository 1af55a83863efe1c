'use client'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useChange } from '@/components/forms/use-change'
import { RowActions } from '@/components/settings/row-actions'
import type { Choices } from './token-form'

const TokenForm = dynamic(() => import('./token-form'), { ssr: false })
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

/** The button that opens the form for a new token. */
export function CreateToken(choices: Choices) {
  const t = useTranslations('client.tokens')
  const [open, setOpen] = useState(false)
  useReopened('token:new', () => setOpen(true))
  return (
    <>
      <Button leftSection={<IconKey size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('create')}
      </Button>
      {open ? <TokenForm {...choices} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** The button that revokes a token, after a confirmation. */
export function RevokeToken({ id, name }: { id: string; name: string }) {
  const t = useTranslations('client.tokens')
  const change = useChange()
  const [open, setOpen] = useState(false)
  const revoke = () => change({ method: 'DELETE', path: `/api/tokens/${id}`, done: t('revoked', { name }) })

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
