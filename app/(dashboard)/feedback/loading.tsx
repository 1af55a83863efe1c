import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function FeedbackLoading() {
  return <PageSkeleton panel={520} />
}
