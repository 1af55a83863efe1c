'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/page-skeleton'

/** The editor, loaded after the page: it does not work without its scripts anyway. */
export const SegmentEditor = dynamic(() => import('./segment-editor'), {
  ssr: false,
  loading: () => <Skeleton height={560} />,
})
