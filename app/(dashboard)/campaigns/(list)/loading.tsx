import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function CampaignsLoading() {
  return <PageSkeleton panel={420} />
}
