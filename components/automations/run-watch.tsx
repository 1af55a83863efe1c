'use client'
import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { send } from '@/components/forms/send'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { AutomationRun } from '@/lib/automations/schema'
import classes from './run.module.css'

interface RunWatchProps {
  run: AutomationRun
  /** Why the run is paused, worded on the server, so that the browser need not load the texts of all reasons. */
  why: string | null
}

/** The progress of a run; for a paused one the reason, and a button that resumes it. */
export function RunWatch({ run: shown, why }: RunWatchProps) {
  const t = useTranslations('client.automations.progress')
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
            {why ? <p className={classes.reason}>{why}</p> : null}
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
  const say = useToast()
  const router = useRouter()
  const { busy, failure, submit } = useSubmit()

  async function resume() {
    const sent = await submit('POST', `/api/automations/${run.automation_id}/runs/${run.id}/resume`)
    if (!sent.ok) return
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

/** Approves or refuses a run that waits. The person who started it can only withdraw it. */
export function DecideButtons({ run, own }: { run: AutomationRun; own: boolean }) {
  const t = useTranslations('client.automations.decide')
  const say = useToast()
  const router = useRouter()
  const [way, setWay] = useState<'approve' | 'refuse' | null>(null)
  const { busy, failure, submit } = useSubmit()

  async function decide(way: 'approve' | 'refuse') {
    setWay(way)
    const body = way === 'approve' ? { guests: run.guests ?? 0 } : undefined
    const sent = await submit('POST', `/api/automations/${run.automation_id}/runs/${run.id}/${way}`, body)
    if (!sent.ok) return
    say(t(way === 'approve' ? 'approved' : 'refused'))
    router.refresh()
  }

  return (
    <>
      <div className={classes.buttons}>
        {own ? null : (
          <Button onClick={() => decide('approve')} loading={busy && way === 'approve'} disabled={busy}>
            {t('approve')}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => decide('refuse')}
          loading={busy && way === 'refuse'}
          disabled={busy}
        >
          {t(own ? 'takeBack' : 'refuse')}
        </Button>
      </div>
      <Failure text={failure} />
    </>
  )
}

/** Stops a send with one click and no question: queued messages are not sent. */
function StopButton({ run }: { run: AutomationRun }) {
  const t = useTranslations('client.automations.progress')
  const say = useToast()
  const router = useRouter()
  const { busy, failure, submit } = useSubmit()

  async function stop() {
    const sent = await submit('POST', `/api/automations/${run.automation_id}/runs/${run.id}/stop`)
    if (!sent.ok) return
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

const MIN_DELAY_MS = 1000
const MAX_DELAY_MS = 15_000

/**
 * Polls a run under way, less and less often while its counts stay the same. Refreshes the page when the run ends.
 */
function useRun(shown: AutomationRun): AutomationRun {
  const router = useRouter()
  const [latest, setLatest] = useState(shown)
  const { id, automation_id, status } = shown
  useEffect(() => {
    if (status !== 'running') return
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (delay: number, before: number) => {
      const path = `/api/automations/${automation_id}/runs?limit=10`
      const sent = await send<AutomationRun[]>('GET', path, undefined, { signal })
      if (signal.aborted) return
      const runs = sent.ok ? sent.data : []
      const now = runs.find((run) => run.id === id)
      if (now) setLatest(now)
      if (now && now.status !== 'running') return router.refresh()
      const pending = now?.pending ?? before
      const next = pending === before ? Math.min(delay * 2, MAX_DELAY_MS) : MIN_DELAY_MS
      timer = setTimeout(() => ask(next, pending), next)
    }
    timer = setTimeout(() => ask(MIN_DELAY_MS, -1), MIN_DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [id, automation_id, status, router])
  return latest.id === id && status === 'running' ? latest : shown
}
