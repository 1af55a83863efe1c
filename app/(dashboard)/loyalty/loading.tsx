import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function LoyaltyLoading() {
  return <PageSkeleton tiles={4} panel={420} />
}
