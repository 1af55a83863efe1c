import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the home page. */
export default function HomeLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['sync', 'setupSteps']}>{children}</ClientTexts>
}
