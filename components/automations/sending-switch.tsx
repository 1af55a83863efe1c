'use client'
import { Button } from '@mantine/core'
import { IconHandStop, IconPlayerPlay } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** Stops everything that automations send, or lets it go on; asks first. */
export function SendingSwitch({ stopped }: { stopped: boolean }) {
  const t = useTranslations('client.automations.sending')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const way = stopped ? 'resume' : 'stop'
  const Icon = stopped ? IconPlayerPlay : IconHandStop

  async function change(): Promise<string | null> {
    const sent = await send('PUT', '/api/automations/sending', { stopped: !stopped })
    if (!sent.ok) return form(formProblem(sent.status))
    say(t(`${way}.done`))
    router.refresh()
    return null
  }

  return (
    <>
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t(`${way}.action`)}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t(`${way}.title`)}
          text={t(`${way}.text`)}
          action={t(`${way}.action`)}
          danger={!stopped}
          onConfirm={change}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
