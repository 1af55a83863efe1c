'use client'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** Deletes an automation, after saying what is lost. */
export function DeleteButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations('client.automations.delete')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [asking, setAsking] = useState(false)

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', `/api/automations/${id}`)
    if (!sent.ok) return form(formProblem(sent.status))
    say(t('done', { name }))
    router.push('/automations')
    router.refresh()
    return null
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('action')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('title', { name })}
          text={t('text')}
          action={t('confirm')}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
