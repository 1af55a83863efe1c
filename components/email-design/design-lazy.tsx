'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/page-skeleton'

/** The editor of designs, loaded when an e-mail has one: the rich-text editor is large. */
export const DesignEditor = dynamic(() => import('./design-editor'), {
  ssr: false,
  loading: () => <Skeleton height={420} />,
})
