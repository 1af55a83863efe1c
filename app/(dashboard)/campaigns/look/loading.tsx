import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function LooksLoading() {
  return <PageSkeleton panel={320} />
}
