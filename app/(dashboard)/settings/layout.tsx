import type { ReactNode } from 'react'
import { SettingsNav } from '@/components/settings/settings-nav'
import { ToastArea } from '@/components/ui/toast'
import { pageSessionWith } from '@/lib/auth/page-session'

/** The settings' sections; someone without the permission sees only what the page says about it. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return children
  return (
    <ToastArea>
      <SettingsNav can={session.can} />
      {children}
    </ToastArea>
  )
}
