import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function ReportsLoading() {
  return <PageSkeleton tiles={0} panel={420} />
}
