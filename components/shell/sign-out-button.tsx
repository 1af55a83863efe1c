'use client'
import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { closeConversations } from '@/components/assistant/conversation-store'

/** Where Mantine keeps the choice of light or dark. */
const COLOR_SCHEME = 'mantine-color-scheme-value'

/** Ends the session. The page is loaded anew, so nothing of it stays in the browser's memory. */
export function SignOutButton() {
  const t = useTranslations('client.frame')
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  async function signOut() {
    setState('busy')
    const scheme = localStorage.getItem(COLOR_SCHEME)
    const response = await fetch('/api/auth/sign-out', { method: 'POST' }).catch(() => null)
    if (!response?.ok) return setState('failed')
    closeConversations()
    // The answer clears what is stored; the light or dark choice is no secret.
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
      {state === 'failed' ? t('signOutFailed') : t('signOut')}
    </Button>
  )
}
