import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** What a person keeps for themselves: sessions, password. */
export default function AccountLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['account']}>{children}</ClientTexts>
}
