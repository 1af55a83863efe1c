'use client'
import { Button } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { closeConversations } from '@/components/assistant/conversation'
import { forgetListsOf, forgetWhatWasTyped, withStores } from '@/components/forms/draft-owner'
import { unsentHere } from '@/components/service/tap-queue'
import { Link } from '@/components/ui/link'
import classes from './user-menu.module.css'

/** Links to the person's account, and closes the user menu, which stays mounted between pages. */
export function AccountLink() {
  const t = useTranslations('client.frame')
  return (
    <Link
      href="/account"
      className={classes.account}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      <IconUserCircle size={16} stroke={1.7} aria-hidden />
      {t('account')}
    </Link>
  )
}

/** The key under which Mantine stores the colour scheme. */
const COLOR_SCHEME = 'mantine-color-scheme-value'

/** Ends the session. The full page load clears the browser's memory. */
export function SignOutButton() {
  const t = useTranslations('client.frame')
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const [unsent, setUnsent] = useState(0)
  async function signOut() {
    // Also when the server cannot be told: who signs out gives the device away.
    forgetListsOf(null)
    const count = withStores(unsentHere) ?? 0
    setUnsent(count)
    if (count > unsent) return
    setState('busy')
    const scheme = localStorage.getItem(COLOR_SCHEME)
    const response = await fetch('/api/auth/sign-out', { method: 'POST' }).catch(() => null)
    if (!response?.ok) return setState('failed')
    closeConversations()
    forgetWhatWasTyped()
    // The response clears the storage; the colour scheme is not secret, so it is kept.
    if (scheme) localStorage.setItem(COLOR_SCHEME, scheme)
    window.location.assign('/sign-in')
  }
  return (
    <Button
      variant="default"
      size="sm"
      fullWidth
      onClick={signOut}
      loading={state === 'busy'}
      leftSection={<IconLogout size={16} aria-hidden />}
    >
      {state === 'failed'
        ? t('signOutFailed')
        : unsent > 0
          ? t('signOutUnsent', { count: unsent })
          : t('signOut')}
    </Button>
  )
}
