'use client'
import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { AutomationRun } from '@/lib/automations/schema'

/** Stops a send at once, with one click: what is queued does not leave. */
export function StopButton({ run }: { run: AutomationRun }) {
  const t = useTranslations('client.automations.progress')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function stop() {
    setBusy(true)
    const sent = await send('POST', `/api/automations/${run.automation_id}/runs/${run.id}/stop`)
    setBusy(false)
    if (!sent.ok) return setFailure(sent.status === 409 ? t('notRunning') : form(formProblem(sent.status)))
    say(t('stopped'))
    router.refresh()
  }

  return (
    <>
      <Button
        color="red"
        variant="default"
        leftSection={<IconHandStop size={16} aria-hidden />}
        onClick={stop}
        loading={busy}
      >
        {t('stop')}
      </Button>
      <Failure text={failure} />
    </>
  )
}
