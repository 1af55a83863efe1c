import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the morning report. */
export default function MorningLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['morning']}>{children}</ClientTexts>
}
