import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function AssistantLoading() {
  return <PageSkeleton panel={560} />
}
