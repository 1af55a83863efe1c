'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/page-skeleton'

// It needs the browser for its frame, and the figures come first.
const HtmlPreview = dynamic(
  () => import('@/components/email-design/html-preview').then((m) => m.HtmlPreview),
  {
    ssr: false,
    loading: () => <Skeleton height={560} />,
  },
)

/** A sent e-mail in a frame without scripts. */
export function SentEmail({ html, text }: { html: string; text: string }) {
  return <HtmlPreview html={html} text={text} />
}
