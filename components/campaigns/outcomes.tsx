import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import type { VersionOutcomes } from '@/lib/campaigns/outcomes-schema'
import type { Campaign } from '@/lib/campaigns/schema'
import { campaignPage } from './addresses'
import classes from './campaigns.module.css'

const OUTCOMES = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
  'bounced',
  'failed',
] as const
/** What only e-mails report. */
const OF_EMAILS: readonly string[] = ['opened', 'clicked', 'complained', 'bounced']

interface OutcomesPanelProps {
  campaign: Campaign
  versions: readonly VersionOutcomes[]
}

/** What guests did with the messages, one version beside the other; each line leads to who they are. */
export function OutcomesPanel({ campaign, versions }: OutcomesPanelProps) {
  const t = useTranslations('campaigns.outcomes')
  const words = useTranslations('campaigns.recipients.outcomes')
  const test = useTranslations('campaigns.test')
  const several = versions.length > 1
  const byEmail = campaign.messages.some((one) => [one.channel, one.fallback_channel].includes('email'))
  const lines = OUTCOMES.filter((name) => byEmail || !OF_EMAILS.includes(name))
  const address = campaignPage(campaign.id)
  return (
    <Panel title={t('title')} flush>
      <DataTable caption={t('list')}>
        <thead>
          <tr>
            <th scope="col">{t('outcome')}</th>
            {versions.map(({ variant }) => (
              <th key={variant} scope="col" data-num>
                {several ? test('versionName', { version: variant.toUpperCase() }) : t('messages')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((name) => (
            <tr key={name}>
              <th scope="row">
                <Link href={`${address.href({ outcome: name })}#recipients`} prefetch={false}>
                  {words(name)}
                </Link>
              </th>
              {versions.map((version) => (
                <td key={version.variant} data-num>
                  <Count name={name} version={version} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </DataTable>
      {byEmail ? <p className={classes.explain}>{t('explain')}</p> : null}
    </Panel>
  )
}

/** A count, with its share of what was sent. */
function Count({ name, version }: { name: (typeof OUTCOMES)[number]; version: VersionOutcomes }) {
  const t = useTranslations('campaigns.outcomes')
  const format = useFormatter()
  const { simulated } = version
  // The sandbox only simulates: no message left.
  const sent = version.sent - simulated
  const wasRefused = name === 'bounced' || name === 'failed'
  const count = name === 'sent' ? sent : sent > 0 || wasRefused ? version[name] : 0
  const tried = wasRefused ? sent + version.bounced + version.failed : sent
  // So few unsubscribe that whole per cents would all read 0.
  const share = () => format.number(count / tried, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <>
      {format.number(count, 'grouped')}
      {name !== 'sent' && tried > 0 ? <small> {t('share', { share: share() })}</small> : null}
      {name === 'sent' && simulated > 0 ? (
        <small className={classes.line}>{t('simulated', { count: simulated })}</small>
      ) : null}
    </>
  )
}

/** The links of the e-mails by the guests who clicked them; nothing while nobody has. */
export function LinksPanel({ versions }: Pick<OutcomesPanelProps, 'versions'>) {
  const t = useTranslations('campaigns.links')
  const test = useTranslations('campaigns.test')
  const format = useFormatter()
  const several = versions.length > 1
  const rows = versions.flatMap(({ variant, links }) => links.map((link) => ({ ...link, variant })))
  if (rows.length === 0) return null
  return (
    <Panel title={t('title')} flush>
      <DataTable caption={t('list')}>
        <thead>
          <tr>
            <th scope="col">{t('link')}</th>
            <th scope="col" data-num>
              {t('guests')}
            </th>
            <th scope="col" data-num>
              {t('clicks')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ variant, url, guests, clicks }) => (
            <tr key={`${variant} ${url}`}>
              <th scope="row">
                <span className={classes.address}>{url.replace(/^https?:\/\//, '')}</span>
                {several ? (
                  <small className={classes.line}>
                    {test('versionName', { version: variant.toUpperCase() })}
                  </small>
                ) : null}
              </th>
              <td data-num>{format.number(guests, 'grouped')}</td>
              <td data-num>{format.number(clicks, 'grouped')}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </Panel>
  )
}
