import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The segments: list, one of them, a new one. */
export default function SegmentsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['facts', 'segments']}>{children}</ClientTexts>
}
