import type { ReactNode } from 'react'
import { SettingsNav } from '@/components/settings/settings-nav'
import { ClientTexts } from '@/components/ui/client-texts'
import { pageSessionWith } from '@/lib/auth/page-session'

/** The settings' sections. Without the permission, a section shows only its message about that. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return children
  return (
    <ClientTexts
      features={[
        'brands',
        'emailDesign',
        'general',
        'guestFields',
        'guestLanguages',
        'identity',
        'import',
        'integrations',
        'locations',
        'setupSteps',
        'sync',
        'team',
        'tokens',
      ]}
    >
      <SettingsNav can={session.can} role={session.role} />
      {children}
    </ClientTexts>
  )
}
