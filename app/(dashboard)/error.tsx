'use client'
import { ErrorPage } from '@/components/ui/error-page'

/** An error inside the frame: the navigation stays. */
export default function DashboardError({ retry }: { retry: () => void }) {
  return <ErrorPage retry={retry} />
}
