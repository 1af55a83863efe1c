'use client'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { startSync } from './start-sync'
import type { Notice } from './sync-notice'

// Notifications are loaded with the first one there is to show.
const SyncNotice = dynamic(() => import('./sync-notice'), { ssr: false })

/** Fetches the reservations now, says what came and shows the new figures. */
export function SyncButton() {
  const t = useTranslations('client.sync')
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [notice, setNotice] = useState<Notice | null>(null)

  async function sync() {
    setBusy(true)
    const outcome = await startSync()
    if (outcome.kind === 'signedOut') return window.location.assign('/sign-in')
    const { kind, reservations, customers, problems } = outcome
    const values = { reservations, customers, problems }
    const [title, message] = [t(`${kind}.title`, values), t(`${kind}.text`, values)]
    setNotice({ key: Date.now(), kind, title, message })
    setBusy(false)
    router.refresh()
  }

  return (
    <>
      <Button onClick={sync} loading={busy} leftSection={<IconRefresh size={16} aria-hidden />}>
        {t('action')}
      </Button>
      <VisuallyHidden>
        <span role="status">{busy ? t('busyNow') : null}</span>
      </VisuallyHidden>
      {notice ? <SyncNotice notice={notice} /> : null}
    </>
  )
}
