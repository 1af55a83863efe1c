'use client'
import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** The chart, loaded after the page stands; a block of its height keeps the place. */
export const WeekChart = dynamic(() => import('./week-chart'), {
  ssr: false,
  loading: () => <Skeleton height={220} />,
})
