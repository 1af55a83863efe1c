import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'
import { socialPreview } from '@/lib/social-preview'

export const generateMetadata = socialPreview

/** The API's description. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return <ClientTexts features={['docs']}>{children}</ClientTexts>
}
