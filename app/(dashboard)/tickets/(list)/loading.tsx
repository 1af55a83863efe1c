import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function TicketsLoading() {
  return <PageSkeleton panel={520} />
}
