import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function ReservationsLoading() {
  return <PageSkeleton panel={560} />
}
