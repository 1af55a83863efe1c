'use client'
import { Button } from '@mantine/core'
import { IconCalendarOff, IconCopy, IconHandStop, IconPlayerPause, IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'
import { useTabRouter } from '@/components/ui/tab-address'
import type { Campaign, CampaignSummary } from '@/lib/campaigns/schema'
import classes from './campaigns.module.css'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

type Which = Pick<CampaignSummary, 'id' | 'name' | 'status'>

/** What can be done with a campaign wherever it stands: a copy; a draft can be deleted. */
export function CampaignActions({ campaign, small = false }: { campaign: Which; small?: boolean }) {
  return (
    <span className={classes.buttons} data-small={small || undefined}>
      <CopyButton campaign={campaign} small={small} />
      {campaign.status === 'draft' ? <DeleteButton campaign={campaign} small={small} /> : null}
      {campaign.status === 'scheduled' && !small ? <UnscheduleButton campaign={campaign} /> : null}
    </span>
  )
}

/** Copies a campaign into a draft, and opens it. */
function CopyButton({ campaign: { id, name }, small }: { campaign: Which; small: boolean }) {
  const t = useTranslations('client.campaigns.actions')
  const router = useTabRouter()
  const change = useChange()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function copy() {
    setBusy(true)
    const problem = await change<Campaign>({
      method: 'POST',
      path: `/api/campaigns/${id}/copy`,
      done: t('copied', { name }),
      onDone: (made) => router.push(`/campaigns/${made.id}/edit`),
    })
    setBusy(false)
    setFailure(problem)
  }

  return (
    <>
      <Button
        size={small ? 'compact-xs' : 'sm'}
        variant="default"
        leftSection={small ? null : <IconCopy size={16} aria-hidden />}
        aria-label={small ? t('copyOne', { name }) : undefined}
        onClick={copy}
        loading={busy}
      >
        {t('copy')}
      </Button>
      <Failure text={failure} />
    </>
  )
}

/** Deletes a draft after a question. */
function DeleteButton({ campaign: { id, name }, small }: { campaign: Which; small: boolean }) {
  const t = useTranslations('client.campaigns.actions')
  const router = useTabRouter()
  const change = useChange()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        size={small ? 'compact-xs' : 'sm'}
        variant="default"
        leftSection={small ? null : <IconTrash size={16} aria-hidden />}
        aria-label={small ? t('deleteOne', { name }) : undefined}
        onClick={() => setAsking(true)}
      >
        {t(small ? 'deleteShort' : 'delete')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('deleteTitle', { name })}
          text={t('deleteText')}
          action={t('deleteDraft')}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            change({
              method: 'DELETE',
              path: `/api/campaigns/${id}`,
              done: t('deleted', { name }),
              onDone: () => router.push('/campaigns'),
            })
          }
        />
      ) : null}
    </>
  )
}

/** Makes a scheduled campaign a draft again. */
function UnscheduleButton({ campaign }: { campaign: Which }) {
  const t = useTranslations('client.campaigns.actions')
  return (
    <MoveButton campaign={campaign} move="unschedule" done={t('unscheduled')}>
      <IconCalendarOff size={16} aria-hidden />
      {t('unschedule')}
    </MoveButton>
  )
}

interface MoveButtonProps {
  campaign: Pick<Campaign, 'id'>
  move: 'unschedule' | 'pause' | 'resume' | 'refuse'
  /** The toast's text. */
  done: string
  isMain?: boolean
  children: ReactNode
}

/** A button for one transition of a campaign. */
export function MoveButton({ campaign: { id }, move, done, isMain = false, children }: MoveButtonProps) {
  const change = useChange()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function go() {
    setBusy(true)
    setFailure(await change({ method: 'POST', path: `/api/campaigns/${id}/${move}`, done }))
    setBusy(false)
  }

  return (
    <>
      <Button variant={isMain ? 'filled' : 'default'} onClick={go} loading={busy}>
        <span className={classes.content}>{children}</span>
      </Button>
      <Failure text={failure} />
    </>
  )
}

/** Pauses a campaign that is being sent. */
export function PauseButton({ campaign }: { campaign: Which }) {
  const t = useTranslations('client.campaigns.actions')
  return (
    <MoveButton campaign={campaign} move="pause" done={t('paused')}>
      <IconPlayerPause size={16} aria-hidden />
      {t('pause')}
    </MoveButton>
  )
}

/** Stops a campaign for good, after a question. */
export function StopButton({ campaign: { id, name } }: { campaign: Which }) {
  const t = useTranslations('client.campaigns.actions')
  const change = useChange()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        color="red"
        variant="default"
        leftSection={<IconHandStop size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('stop')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('stopTitle', { name })}
          text={t('stopText')}
          action={t('stopNow')}
          onClose={() => setAsking(false)}
          onConfirm={() => change({ method: 'POST', path: `/api/campaigns/${id}/stop`, done: t('stopped') })}
        />
      ) : null}
    </>
  )
}
