import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The campaigns. */
export default function CampaignsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['campaigns']}>{children}</ClientTexts>
}
