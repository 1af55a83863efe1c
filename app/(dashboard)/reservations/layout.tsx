import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the reservations. */
export default function ReservationsLayout({ children }: { children: ReactNode }) {
  return (
    <ClientTexts features={['booking', 'closings', 'customerMatches', 'datePick', 'service', 'facts']}>
      {children}
    </ClientTexts>
  )
}
