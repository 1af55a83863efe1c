import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import type { Segment } from '@/lib/segments/schema'
import classes from './segments.module.css'

/** What uses a segment, and therefore keeps it from being deleted; nothing for one without uses. */
export function SegmentUses({ uses: { total, campaigns, automations } }: { uses: Segment['used_by'] }) {
  const t = useTranslations('segments.uses')
  if (total === 0) return null
  const others = total - campaigns.length - automations.length
  return (
    <Panel title={t('title')}>
      <ul className={classes.guests}>
        {campaigns.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/campaigns/${id}`} prefetch={false}>
              {t('campaign', { name })}
            </Link>
          </li>
        ))}
        {automations.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/automations/${id}`} prefetch={false}>
              {t('automation', { name })}
            </Link>
          </li>
        ))}
        {others > 0 ? <li>{t('others', { count: others })}</li> : null}
      </ul>
    </Panel>
  )
}
