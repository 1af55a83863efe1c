import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** Appointments. */
export default function CalendarLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['calendar', 'customerPicker']}>{children}</ClientTexts>
}
