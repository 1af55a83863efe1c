import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the segments. */
export default function SegmentsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['facts', 'guestLanguages', 'segments', 'service']}>{children}</ClientTexts>
}
