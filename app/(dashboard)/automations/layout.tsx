import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The automations. */
export default function AutomationsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['automations']}>{children}</ClientTexts>
}
