'use client'
import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'
import type { AutomationPreview } from '@/lib/automations/schema'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** Runs an automation now, once it has been told how many people will hear. */
export function RunButton({ id, name, active }: { id: string; name: string; active: boolean }) {
  const t = useTranslations('client.automations.run')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [counting, setCounting] = useState(false)
  const [question, setQuestion] = useState<string | null>(null)

  async function ask() {
    setCounting(true)
    const sent = await send<AutomationPreview>('GET', `/api/automations/${id}/preview`)
    setCounting(false)
    if (!sent.ok) return say(t(sent.status === 400 ? 'template' : 'unreachable'))
    const { matched, to_send, held_by_quiet_hours: held, skipped } = sent.data
    const { no_provider, no_app_url } = skipped
    const left = matched - to_send
    const lines = [
      t('audience', { count: to_send }),
      held > 0 && t('held', { count: held }),
      left > 0 && t('left', { count: left }),
      no_provider > 0 && t('noProvider', { count: no_provider }),
      no_app_url > 0 && t('noAppUrl', { count: no_app_url }),
      to_send > 0 && t('irreversible'),
    ]
    setQuestion(lines.filter(Boolean).join(' '))
  }

  async function run(): Promise<string | null> {
    const headers = { Prefer: 'respond-async' }
    const sent = await send('POST', `/api/automations/${id}/run`, undefined, { headers })
    if (sent.ok) {
      say(t('started', { name }))
      router.refresh()
      return null
    }
    if (sent.status === 404) return form(formProblem(404))
    return t(sent.status === 429 ? 'limited' : 'failed')
  }

  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={ask}
        loading={counting}
        disabled={!active}
        title={active ? undefined : t('inactive')}
      >
        {t('action')}
      </Button>
      {question ? (
        <ConfirmDialog
          title={t('title', { name })}
          text={question}
          action={t('action')}
          danger={false}
          onConfirm={run}
          onClose={() => setQuestion(null)}
        />
      ) : null}
    </>
  )
}
