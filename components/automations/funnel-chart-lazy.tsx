'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** The chart, loaded after the page stands; a block of its height keeps the place. */
export const FunnelChart = dynamic(() => import('./funnel-chart'), {
  ssr: false,
  loading: () => <Skeleton height={180} />,
})
