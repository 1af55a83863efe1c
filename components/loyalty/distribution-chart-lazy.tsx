'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** The chart, loaded after the page stands; a block keeps its place. */
export const DistributionChart = dynamic(() => import('./distribution-chart'), {
  ssr: false,
  loading: () => <Skeleton height={280} />,
})
