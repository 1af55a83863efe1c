import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** What the staff has to solve. */
export default function TicketsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['customerPicker', 'tickets']}>{children}</ClientTexts>
}
