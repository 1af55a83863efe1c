import { IconPencil } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { BackLink } from '@/components/ui/back-link'
import { BrokenNote } from '@/components/ui/broken'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import type { Campaign } from '@/lib/campaigns/schema'
import { CampaignActions } from './actions'
import classes from './campaigns.module.css'
import { CampaignBadge } from './status'

/** A campaign's name, where it stands and by whom, and its buttons. */
export function CampaignHeader({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns')
  const { id, name, status, reason } = campaign
  const isDraft = status === 'draft'
  const sentBack = isDraft && (reason === 'refused' || reason === 'expired') ? reason : null
  return (
    <>
      <BackLink href="/campaigns">{t('title')}</BackLink>
      <PageHeader
        title={name}
        subtitle={
          <>
            <CampaignBadge status={status} /> <History campaign={campaign} />
          </>
        }
      >
        {isDraft ? (
          <LinkButton href={`/campaigns/${id}/edit`}>
            <IconPencil size={16} aria-hidden />
            {t('edit')}
          </LinkButton>
        ) : null}
        <CampaignActions campaign={{ id, name, status }} />
      </PageHeader>
      {campaign.broken ? <BrokenNote /> : null}
      {sentBack ? (
        <p className={classes.note} role="note" data-apart>
          {t(`sentBack.${sentBack}`)}
        </p>
      ) : null}
    </>
  )
}

/** Who wrote, launched, approved and stopped it, and when. */
function History({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.history')
  const format = useFormatter()
  const when = (at: string | null) => (at ? format.dateTime(new Date(at), 'instant') : '')
  const { created_by_name, launched_by_name, launched_at, approved_by, approved_at } = campaign
  const { paused_by, stopped_by, finished_at, status } = campaign
  // A draft that was taken back was launched, and is not.
  const isLaunched = status !== 'draft' && launched_at !== null
  const lines = [
    created_by_name && !isLaunched && t('created', { who: created_by_name }),
    isLaunched &&
      (launched_by_name
        ? t('launched', { who: launched_by_name, when: when(launched_at) })
        : t('launchedBySomeone', { when: when(launched_at) })),
    approved_by && t('approved', { who: approved_by, when: when(approved_at) }),
    status === 'paused' && paused_by && t('paused', { who: paused_by }),
    status === 'stopped' && stopped_by && t('stopped', { who: stopped_by }),
    status === 'finished' && finished_at && t('finished', { when: when(finished_at) }),
  ]
  return lines.filter(Boolean).join(' · ')
}
