import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function TicketLoading() {
  return <PageSkeleton panel={420} />
}
