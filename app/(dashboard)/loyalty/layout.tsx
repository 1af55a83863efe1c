import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The loyalty programme. */
export default function LoyaltyLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['loyalty']}>{children}</ClientTexts>
}
