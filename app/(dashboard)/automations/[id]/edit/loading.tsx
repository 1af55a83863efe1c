import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function EditAutomationLoading() {
  return <PageSkeleton panel={640} />
}
