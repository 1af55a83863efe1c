import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** Signing in, joining, and a new password. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['signIn', 'signUp', 'password', 'secondFactor']}>{children}</ClientTexts>
}
