import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function CompareLoading() {
  return <PageSkeleton panel={520} />
}
