import { IconPlus } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { BrokenMark } from '@/components/ui/broken'
import { DataTable } from '@/components/ui/data-table'
import { FilterBar } from '@/components/ui/filter-field'
import { Link } from '@/components/ui/link'
import { LinkButton } from '@/components/ui/link-button'
import { UrlSelect } from '@/components/ui/url-select'
import { type AutomationLift, hasControl } from '@/lib/automations/lift-schema'
import { CAMPAIGN_STATUSES } from '@/lib/campaigns/limits'
import type { CampaignSummary } from '@/lib/campaigns/schema'
import { calendarDate } from '@/lib/i18n/formats'
import { CampaignActions } from './actions'
import { newCampaignPage } from './addresses'
import classes from './campaigns.module.css'
import { CampaignBadge } from './status'

interface CampaignsTableProps {
  campaigns: readonly CampaignSummary[]
  /** The lift of those that are over, by their id; not of those too large for a list. */
  lifts: ReadonlyMap<string, AutomationLift>
}

/** The campaigns: to whom, when, how far, and what they brought. */
export function CampaignsTable({ campaigns, lifts }: CampaignsTableProps) {
  const t = useTranslations('campaigns')
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.name')}</th>
          <th scope="col" data-wide>
            {t('columns.when')}
          </th>
          <th scope="col" data-wide="md" data-num>
            {t('columns.guests')}
          </th>
          <th scope="col" data-wide>
            {t('columns.result')}
          </th>
          <th scope="col">{t('columns.status')}</th>
          <th scope="col" data-wide>
            {t('columns.actions')}
          </th>
        </tr>
      </thead>
      <tbody>
        {campaigns.map((campaign) => {
          const { id, name, segment_name, status, broken } = campaign
          return (
            <tr key={id}>
              <th scope="row" className={classes.name}>
                <Link href={`/campaigns/${id}`} prefetch={false}>
                  {name}
                </Link>
                {broken ? <BrokenMark /> : null}
                <small className={classes.line}>{segment_name ?? t('noSegment')}</small>
                <small data-narrow>
                  <When campaign={campaign} />
                </small>
                <small data-narrow="md">
                  <Guests campaign={campaign} isAlone />
                </small>
                <small data-narrow>
                  <Messages campaign={campaign} />
                </small>
                <small data-narrow>
                  <Lift campaign={campaign} lift={lifts.get(id)} />
                </small>
              </th>
              <td data-wide data-nowrap>
                <When campaign={campaign} />
              </td>
              <td data-wide="md" data-num>
                <Guests campaign={campaign} />
              </td>
              <td data-wide>
                <Messages campaign={campaign} />
                <span className={`${classes.line} ${classes.hint}`}>
                  <Lift campaign={campaign} lift={lifts.get(id)} />
                </span>
              </td>
              <td>
                <CampaignBadge status={status} />
              </td>
              <td data-wide>
                <CampaignActions campaign={{ id, name, status }} small />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}

/** When it goes, or went. */
function When({ campaign: { starts_local, launched_at } }: { campaign: CampaignSummary }) {
  const t = useTranslations('campaigns')
  const format = useFormatter()
  if (starts_local !== null) {
    const date = format.dateTime(calendarDate(starts_local.slice(0, 10)), 'date')
    return t('at', { date, time: starts_local.slice(11, 16) })
  }
  return launched_at ? format.dateTime(new Date(launched_at), 'instant') : t('atOnce')
}

interface GuestsProps {
  campaign: CampaignSummary
  /** Whether it stands without its column's heading. */
  isAlone?: boolean
}

/** To how many guests it writes; of a draft about how many, when that is known. */
function Guests({ campaign: { status, guests }, isAlone = false }: GuestsProps) {
  const t = useTranslations('campaigns.guests')
  if (guests === null) return null
  const key = status === 'draft' ? 'expected' : 'exact'
  return t(isAlone ? `${key}Of` : key, { count: guests })
}

/** How far it is, or what became of its messages, in a line. Simulated messages are not counted as sent. */
function Messages({ campaign }: { campaign: CampaignSummary }) {
  const t = useTranslations('campaigns.result')
  const { status, progress, follow_ups, winner, reason } = campaign
  const { processed, sent, skipped, failed, pending, simulated } = progress
  if (processed === 0) return reason === 'nobody' ? t('nobody') : status === 'sending' ? t('beginning') : ''
  const left = sent - simulated
  const parts = [
    (left > 0 || simulated === 0) && t('sent', { count: left }),
    simulated > 0 && t('simulated', { count: simulated }),
    follow_ups > 0 && t('followUps', { count: follow_ups }),
    pending > 0 && t('pending', { count: pending }),
    failed > 0 && t('failed', { count: failed }),
    skipped > 0 && t('skipped', { count: skipped }),
    winner && t('winner', { version: winner.toUpperCase() }),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Whether nothing of it is sent any more. */
export const isOver = ({ status }: Pick<CampaignSummary, 'status'>) =>
  status === 'finished' || status === 'stopped'

interface LiftProps {
  campaign: CampaignSummary
  lift: AutomationLift | undefined
}

/** The extra visits a finished campaign brought, with the 95 % interval, or that this is not known (docs/lift.md). */
function Lift({ campaign, lift }: LiftProps) {
  const t = useTranslations('campaigns.lift')
  const format = useFormatter()
  if (!lift) return isOver(campaign) ? t('onPage') : null
  const { known, per_thousand, low, high } = lift.visits
  if (per_thousand === null || low === null || high === null) return t(hasControl(lift) ? 'unknown' : 'none')
  const visits = (value: number) => format.number(value, DIFFERENCE)
  const interval = { low: visits(low), high: visits(high) }
  return known === 'unclear'
    ? t('unclear', interval)
    : t('known', { difference: visits(per_thousand), ...interval })
}

const DIFFERENCE = { maximumFractionDigits: 0, signDisplay: 'exceptZero', useGrouping: 'always' } as const

/** The filter of the list. */
export function CampaignFilters({ status = '' }: { status?: string | undefined }) {
  const t = useTranslations('campaigns.filter')
  const names = useTranslations('client.campaigns.status')
  return (
    <FilterBar>
      <UrlSelect
        name="status"
        label={t('status')}
        value={status}
        options={[
          { value: '', label: t('all') },
          ...CAMPAIGN_STATUSES.map((value) => ({ value, label: names(value) })),
        ]}
      />
    </FilterBar>
  )
}

/** The link to a new campaign, as the page's main button. */
export function NewCampaignLink() {
  const t = useTranslations('campaigns')
  return (
    <LinkButton href={newCampaignPage.href({})} main>
      <IconPlus size={16} aria-hidden />
      {t('new')}
    </LinkButton>
  )
}
