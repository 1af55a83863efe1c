import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The day at a glance. */
export default function HomeLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['sync']}>{children}</ClientTexts>
}
