'use client'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'
import type { Campaign } from '@/lib/campaigns/schema'
import classes from './campaigns.module.css'

/** The seconds until a large campaign begins, and the button that takes it back. Nothing once they are over. */
export function UndoLaunch({ campaign: { id }, until }: { campaign: Pick<Campaign, 'id'>; until: string }) {
  const t = useTranslations('client.campaigns.undo')
  const change = useChange()
  const [now, setNow] = useState(() => Date.now())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((Date.parse(until) - now) / 1000)
  if (seconds <= 0) return failure ? <Failure text={failure} /> : null

  async function undo() {
    setBusy(true)
    const path = `/api/campaigns/${id}/unschedule`
    const problem = await change({
      method: 'POST',
      path,
      done: t('done'),
      texts: { NOT_SCHEDULED: t('late') },
    })
    setBusy(false)
    setFailure(problem)
  }

  return (
    <div className={classes.undo}>
      <p>
        <strong aria-hidden>{t('title', { seconds })}</strong> {t('text')}
      </p>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={undo}
        loading={busy}
      >
        {t('action')}
      </Button>
      <Failure text={failure} />
    </div>
  )
}
