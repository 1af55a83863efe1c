import type { ReactNode } from 'react'
import { PaletteButton } from '@/components/palette/palette-button'
import { CodeDialogHost } from '@/components/second-factor/code-dialog-host'
import { AppFrame } from '@/components/shell/app-frame'
import { Brand } from '@/components/shell/brand'
import { ChosenLocation } from '@/components/shell/chosen-location'
import { ColorSchemeToggle } from '@/components/shell/color-scheme-toggle'
import { LanguageSwitch } from '@/components/shell/language-switch'
import { MainNav } from '@/components/shell/main-nav'
import { NoticesOf } from '@/components/shell/notices'
import { paletteScope } from '@/components/shell/palette-scope'
import { UserMenu } from '@/components/shell/user-menu'
import { WideOnly } from '@/components/shell/wide-only'
import { ClientTexts } from '@/components/ui/client-texts'
import { RowLinks } from '@/components/ui/row-links'
import { ToastArea } from '@/components/ui/toast'
import { pageSession } from '@/lib/auth/page-session'

/** Everything behind the sign-in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await pageSession()
  const { organization, full_name, email, role, can, second_factor } = session
  const settings = (
    <>
      <LanguageSwitch />
      <ColorSchemeToggle />
    </>
  )
  return (
    <ClientTexts
      features={['notices', 'palette', ...(second_factor.enrolled ? (['confirmCode'] as const) : [])]}
    >
      <AppFrame
        brand={<Brand organization={organization.name} />}
        place={<ChosenLocation session={session} />}
        tools={
          <>
            <PaletteButton scope={await paletteScope(session)} />
            <NoticesOf session={session} />
            <WideOnly>{settings}</WideOnly>
            <UserMenu name={full_name} email={email} role={role}>
              {settings}
            </UserMenu>
          </>
        }
        nav={<MainNav can={can} />}
      >
        <ToastArea>{children}</ToastArea>
        {second_factor.enrolled ? <CodeDialogHost /> : null}
        <RowLinks />
      </AppFrame>
    </ClientTexts>
  )
}
