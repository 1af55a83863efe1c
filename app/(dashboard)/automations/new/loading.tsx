import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function NewAutomationLoading() {
  return <PageSkeleton panel={640} />
}
