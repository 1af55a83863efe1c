import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function HomeLoading() {
  return <PageSkeleton tiles={4} />
}
