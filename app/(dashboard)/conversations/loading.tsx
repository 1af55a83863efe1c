import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function ConversationsLoading() {
  return <PageSkeleton panel={520} />
}
