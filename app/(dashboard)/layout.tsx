import type { ReactNode } from 'react'
import { DraftOwner } from '@/components/forms/draft-owner'
import { PaletteButton } from '@/components/palette/palette-button'
import { CodeDialogHost } from '@/components/second-factor/code-dialog-host'
import { AppFrame, Brand, WideOnly } from '@/components/shell/app-frame'
import { ColorSchemeToggle, LanguageSwitch } from '@/components/shell/frame-controls'
import { ChosenLocation, LocationNotice, NoticesOf, paletteScope, unreadOf } from '@/components/shell/header'
import { MainNav } from '@/components/shell/main-nav'
import { UserMenu } from '@/components/shell/user-menu'
import { ClientTexts } from '@/components/ui/client-texts'
import { ToastArea } from '@/components/ui/toast'
import { pageSession } from '@/lib/auth/page-session'

/** The layout of all pages behind the sign-in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await pageSession()
  const { organization, user_id, full_name, email, role, can, second_factor } = session
  const settings = (
    <>
      <LanguageSwitch />
      <ColorSchemeToggle />
    </>
  )
  return (
    <ClientTexts
      features={[
        'facts',
        'notices',
        'palette',
        ...(second_factor.enrolled ? (['confirmCode'] as const) : []),
      ]}
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
        nav={<MainNav can={can} unread={await unreadOf(session)} />}
      >
        <LocationNotice session={session} />
        <DraftOwner person={user_id}>
          <ToastArea>{children}</ToastArea>
        </DraftOwner>
        {second_factor.enrolled ? <CodeDialogHost /> : null}
      </AppFrame>
    </ClientTexts>
  )
}
