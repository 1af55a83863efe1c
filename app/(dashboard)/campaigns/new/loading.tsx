import { PageSkeleton } from '@/components/ui/page-skeleton'

export default function NewCampaignLoading() {
  return <PageSkeleton panel={640} />
}
