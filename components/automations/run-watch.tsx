'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { AutomationRun } from '@/lib/automations/schema'
import { reasonText } from './reason-text'
import classes from './run-watch.module.css'
import { StopButton } from './stop-button'
import { useRun } from './use-run'

/** How far a run under way is; why a paused one waits, and the way to let it go on. */
export function RunWatch({ run: shown }: { run: AutomationRun }) {
  const t = useTranslations('client.automations.progress')
  const reasons = useTranslations('client.automations.reasons')
  const run = useRun(shown)
  const { processed, sent, skipped, failed, pending, simulated } = run
  const paused = run.status === 'paused'
  return (
    <Panel title={t(paused ? 'pausedTitle' : 'title')}>
      <div className={classes.watch}>
        <progress
          className={classes.bar}
          aria-label={t('label')}
          max={processed || 1}
          value={processed - pending}
        />
        <p className={classes.counts} role="status">
          {t('counts', { sent, skipped, failed, pending })}
          {simulated > 0 ? ` · ${t('simulated', { count: simulated })}` : null}
        </p>
        {paused ? (
          <>
            <p className={classes.reason}>{reasonText(reasons, run.reason)}</p>
            <p className={classes.hint}>
              {t(run.reason === 'no_provider' ? 'pausedNoProvider' : 'pausedText')}
            </p>
            <Resume run={run} />
          </>
        ) : (
          <p className={classes.hint}>{t('pending')}</p>
        )}
        <StopButton run={run} />
      </div>
    </Panel>
  )
}

function Resume({ run }: { run: AutomationRun }) {
  const t = useTranslations('client.automations.progress')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function resume() {
    setBusy(true)
    const sent = await send('POST', `/api/automations/${run.automation_id}/runs/${run.id}/resume`)
    setBusy(false)
    if (!sent.ok) return setFailure(sent.status === 409 ? t('notPaused') : form(formProblem(sent.status)))
    say(t('resumed'))
    router.refresh()
  }

  return (
    <>
      <Button onClick={resume} loading={busy}>
        {t('resume')}
      </Button>
      <Failure text={failure} />
    </>
  )
}
