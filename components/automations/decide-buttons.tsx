'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { AutomationRun } from '@/lib/automations/schema'
import classes from './waiting-run.module.css'

/** Approves or refuses a run that waits; who started it can only take it back. */
export function DecideButtons({ run, own }: { run: AutomationRun; own: boolean }) {
  const t = useTranslations('client.automations.decide')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState<'approve' | 'refuse' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function decide(way: 'approve' | 'refuse') {
    setBusy(way)
    setFailure(null)
    const body = way === 'approve' ? { guests: run.guests ?? 0 } : undefined
    const sent = await send('POST', `/api/automations/${run.automation_id}/runs/${run.id}/${way}`, body)
    setBusy(null)
    if (!sent.ok) return setFailure(sent.status === 409 ? t('changed') : form(formProblem(sent.status)))
    say(t(way === 'approve' ? 'approved' : 'refused'))
    router.refresh()
  }

  return (
    <>
      <div className={classes.buttons}>
        {own ? null : (
          <Button onClick={() => decide('approve')} loading={busy === 'approve'} disabled={busy !== null}>
            {t('approve')}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => decide('refuse')}
          loading={busy === 'refuse'}
          disabled={busy !== null}
        >
          {t(own ? 'takeBack' : 'refuse')}
        </Button>
      </div>
      <Failure text={failure} />
    </>
  )
}
