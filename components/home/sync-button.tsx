'use client'
import { ActionIcon, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { send } from '@/components/forms/send'
import { type ToastMessage, useToast } from '@/components/ui/toast'
import { VisuallyHidden } from '@/components/ui/visually-hidden'

const TONES: Record<SyncOutcome['kind'], ToastMessage['tone']> = {
  done: 'done',
  problems: 'warning',
  busy: 'info',
  notConfigured: 'problem',
  failed: 'problem',
}

/** Starts a sync, reports the result and refreshes the figures. With `compact` it is an icon only. */
export function SyncButton({ compact = false }: { compact?: boolean }) {
  const t = useTranslations('client.sync')
  const router = useRouter()
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function sync() {
    setBusy(true)
    const outcome = await startSync()
    setBusy(false)
    if (outcome === null) return
    const { kind, ...values } = outcome
    const [title, text] = [t(`${kind}.title`, values), t(`${kind}.text`, values)]
    toast({ title, text, tone: TONES[kind], stays: kind !== 'done' })
    router.refresh()
  }

  return (
    <>
      {compact ? (
        <ActionIcon
          variant="default"
          size={36}
          onClick={sync}
          loading={busy}
          aria-label={t('action')}
          title={t('action')}
          flex="none"
        >
          <IconRefresh size={18} aria-hidden />
        </ActionIcon>
      ) : (
        <Button onClick={sync} loading={busy} leftSection={<IconRefresh size={16} aria-hidden />}>
          {t('action')}
        </Button>
      )}
      <VisuallyHidden>
        <span role="status">{busy ? t('busyNow') : null}</span>
      </VisuallyHidden>
    </>
  )
}

/** The result of a sync, with the counts for its message. */
interface SyncOutcome {
  kind: 'done' | 'problems' | 'busy' | 'notConfigured' | 'failed'
  reservations: number
  customers: number
  problems: number
}

interface SyncResult {
  synced_reservations: number
  synced_customers: number
  errors: string[]
}

/** Starts a sync and waits for its end; null when the person has to sign in first. Never throws. */
async function startSync(): Promise<SyncOutcome | null> {
  const answer = await send<SyncResult>('POST', '/api/sync', { source: 'pms' })
  if (answer.ok) {
    const { synced_reservations: reservations, synced_customers: customers, errors } = answer.data
    const problems = errors.length
    return { kind: problems > 0 ? 'problems' : 'done', reservations, customers, problems }
  }
  if (answer.code === 'UNAUTHORIZED') return null
  const kinds = { SYNC_RUNNING: 'busy', PMS_NOT_CONFIGURED: 'notConfigured' } as const
  const kind = kinds[answer.code as keyof typeof kinds] ?? 'failed'
  return { kind, reservations: 0, customers: 0, problems: 0 }
}
