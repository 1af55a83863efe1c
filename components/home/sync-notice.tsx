'use client'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { SyncOutcome } from './start-sync'

export interface Notice {
  /** Tells two notices apart that say the same. */
  key: number
  kind: Exclude<SyncOutcome['kind'], 'signedOut'>
  title: string
  message: string
}

const COLORS: Record<Notice['kind'], string> = {
  done: 'green',
  problems: 'yellow',
  busy: 'blue',
  notConfigured: 'red',
  failed: 'red',
}
const CLOSE_MS = 8000

/** Shows each notice once, in a corner. */
export default function SyncNotice({ notice }: { notice: Notice }) {
  const t = useTranslations('client.frame')
  useEffect(() => {
    const { key, kind, title, message } = notice
    notifications.show({
      id: `sync-${key}`,
      title,
      message,
      color: COLORS[kind],
      autoClose: kind === 'done' ? CLOSE_MS : false,
      closeButtonProps: { 'aria-label': t('close') },
    })
  }, [notice, t])
  return <Notifications position="top-right" />
}
