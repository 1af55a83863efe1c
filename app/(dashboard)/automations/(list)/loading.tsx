import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function AutomationsLoading() {
  return <PageSkeleton panel={420} />
}
