'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/page-skeleton'

/** The editor, loaded after the page: it does not work without its scripts anyway. */
export const Editor = dynamic(() => import('./editor'), {
  ssr: false,
  loading: () => <Skeleton height={640} />,
})
