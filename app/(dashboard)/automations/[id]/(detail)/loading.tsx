import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function AutomationLoading() {
  return <PageSkeleton tiles={4} panel={480} />
}
