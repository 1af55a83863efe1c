import { IconSpeakerphone, IconUsers } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { newCampaignPage } from '@/components/campaigns/addresses'
import { DeleteSegment } from '@/components/segments/delete-segment'
import { EditorFrame } from '@/components/segments/editor-frame'
import { SegmentUses } from '@/components/segments/segment-uses'
import { BackLink } from '@/components/ui/back-link'
import { BrokenNote } from '@/components/ui/broken'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { customersPage } from '@/lib/customers/filters'
import { pageSegment } from '@/lib/segments/page-segment'

export async function generateMetadata({ params }: PageProps<'/customers/segments/[id]'>): Promise<Metadata> {
  const t = await getTranslations('segments')
  const found = await pageSegment((await params).id)
  return { title: found?.segment?.name ?? t('title') }
}

/** A segment: its conditions, the matching customers, and the effect of unsaved changes. */
export default async function SegmentPage({ params }: PageProps<'/customers/segments/[id]'>) {
  const found = await pageSegment((await params).id)
  if (!found) return <NoAccess />
  const { session, segment } = found
  if (!segment) notFound()
  const t = await getTranslations('segments')
  return (
    <>
      <BackLink href="/customers/segments">{t('back')}</BackLink>
      <PageHeader title={segment.name} subtitle={segment.can_change ? null : t('readOnly')}>
        <LinkButton href={customersPage.href({ segment_id: segment.id })} prefetch={false}>
          <IconUsers size={16} aria-hidden />
          {t('open')}
        </LinkButton>
        {(segment.shared || segment.mine) && session.can('canAccessMarketing') ? (
          <LinkButton href={newCampaignPage.href({ segment_id: segment.id })} prefetch={false}>
            <IconSpeakerphone size={16} aria-hidden />
            {t('campaign')}
          </LinkButton>
        ) : null}
        {segment.can_change ? <DeleteSegment id={segment.id} name={segment.name} /> : null}
      </PageHeader>
      {segment.broken ? <BrokenNote /> : null}
      <SegmentUses uses={segment.used_by} />
      <EditorFrame key={segment.updated_at} session={session} segment={segment} />
    </>
  )
}
