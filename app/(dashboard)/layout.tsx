import type { ReactNode } from 'react'
import { AppFrame } from '@/components/shell/app-frame'
import { Brand } from '@/components/shell/brand'
import { ColorSchemeToggle } from '@/components/shell/color-scheme-toggle'
import { LanguageSwitch } from '@/components/shell/language-switch'
import { MainNav } from '@/components/shell/main-nav'
import { UserMenu } from '@/components/shell/user-menu'
import { ToastArea } from '@/components/ui/toast'
import { pageSession } from '@/lib/auth/page-session'

/** Everything behind the sign-in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { organization, full_name, email, role, can } = await pageSession()
  return (
    <AppFrame
      brand={<Brand organization={organization.name} />}
      tools={
        <>
          <LanguageSwitch />
          <ColorSchemeToggle />
          <UserMenu name={full_name} email={email} role={role} />
        </>
      }
      nav={<MainNav can={can} />}
    >
      <ToastArea>{children}</ToastArea>
    </AppFrame>
  )
}
