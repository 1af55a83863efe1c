import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The API's description. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['docs']}>{children}</ClientTexts>
}
