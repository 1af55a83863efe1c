import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The assistant. */
export default function AssistantLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['assistant']}>{children}</ClientTexts>
}
