import { useFormatter, useTranslations } from 'next-intl'
import { useGuestLanguages } from '@/components/customers/use-guest-languages'
import type { Campaign, CampaignPreview } from '@/lib/campaigns/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './campaigns.module.css'
import { languagesOf } from './languages'

type Summed = Pick<
  Campaign,
  'segment_name' | 'starts_local' | 'ab' | 'messages' | 'exclude_recent_days' | 'location_ids'
>
type Counts = Pick<CampaignPreview, 'to_send' | 'matched' | 'control' | 'variants'>

interface SummaryProps {
  campaign: Summed
  /** How many guests get it; null while that is not known. */
  guests: number | null
  counts: Counts | null
  /** The names of the campaign's locations; none: all of them. */
  locations: readonly string[]
  /** Whether it has begun: the summary is then in the past tense. */
  isLaunched?: boolean
}

/** A campaign in words: to whom, by which channel, when, who is left out, and what follows. */
export function CampaignSummaryText({
  campaign,
  guests,
  counts,
  locations,
  isLaunched = false,
}: SummaryProps) {
  const t = useTranslations('client.campaigns.summary')
  const channels = useTranslations('client.campaigns.channels')
  const format = useFormatter()
  const when = useWhen(campaign.starts_local, isLaunched)
  const written = languagesOf(campaign)
  const languages = useGuestLanguages().filter(({ value }) => written.includes(value))
  const first = campaign.messages.find(({ step, variant }) => step === 1 && variant === 'a')
  if (!first) return null
  const { ab } = campaign
  const followUps = campaign.messages.filter(({ step }) => step > 1)
  const segment = campaign.segment_name ?? t('noSegment')
  const days = followUps.map(({ after_days }) => after_days ?? 0)
  const left = counts ? counts.matched - counts.to_send - counts.control : 0
  const lines = [
    locations.length > 0 && t('locations', { names: format.list(locations), count: locations.length }),
    first.fallback_channel && t('fallback', { channel: channels(first.fallback_channel) }),
    languages.length > 0 && t('languages', { names: format.list(languages.map(({ word }) => word)) }),
    counts && counts.control > 0 && t('control', { count: counts.control }),
    left > 0 && t('left', { count: left }),
    campaign.exclude_recent_days > 0 && t('recent', { days: campaign.exclude_recent_days }),
    ab && counts && t('test', counts.variants),
    ab && ab.test_share < 100 && t(`winner.${ab.winner_by}`, { hours: ab.test_hours }),
    days.length > 0 &&
      t('followUps', { count: days.length, days: format.list(days.map((count) => t('days', { count }))) }),
  ]
  const channel = channels(first.channel)
  return (
    <div className={classes.summary}>
      <p className={classes.headline}>
        {guests === null
          ? t('headlineUnknown', { segment, channel, when })
          : t(isLaunched ? 'headlineLaunched' : 'headline', { count: guests, segment, channel, when })}
      </p>
      <ul className={classes.lines}>
        {lines.filter(Boolean).map((line) => (
          <li key={String(line)}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

/** When a campaign begins, in words: at once, or the day and the time of each location. */
function useWhen(startsLocal: string | null, isLaunched: boolean): string {
  const t = useTranslations('client.campaigns.summary')
  const format = useFormatter()
  if (startsLocal === null) return t(isLaunched ? 'nowLaunched' : 'now')
  const date = format.dateTime(calendarDate(startsLocal.slice(0, 10)), 'longDate')
  return t('at', { date, time: startsLocal.slice(11, 16) })
}
