import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the calendar. */
export default function CalendarLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['calendar', 'customerPicker']}>{children}</ClientTexts>
}
