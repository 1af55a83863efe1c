import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'
import { socialPreview } from '@/lib/social-preview'

export const generateMetadata = socialPreview

/** Setting up, signing in, joining, and a new password. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientTexts features={['setup', 'signIn', 'signUp', 'password', 'secondFactor']}>{children}</ClientTexts>
  )
}
