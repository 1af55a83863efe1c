import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the tickets. */
export default function TicketsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['customerPicker', 'tickets']}>{children}</ClientTexts>
}
