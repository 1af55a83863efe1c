import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** Signing in and joining. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['signIn', 'signUp']}>{children}</ClientTexts>
}
