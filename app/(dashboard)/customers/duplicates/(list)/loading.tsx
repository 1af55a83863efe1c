import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function DuplicatesLoading() {
  return <PageSkeleton panel={480} />
}
