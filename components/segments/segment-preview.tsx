'use client'
import { Loader } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import type { PreviewState } from '@/components/forms/use-preview'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { readableEmail } from '@/lib/contact/readable-email'
import { calendarDate } from '@/lib/i18n/formats'
import type { SegmentGuest, SegmentPreview } from '@/lib/segments/schema'
import classes from './segments.module.css'

interface PreviewPanelProps extends PreviewState<SegmentPreview> {
  /** Whether the definition is incomplete. */
  incomplete: boolean
  /** Whether the definition differs from the saved one. */
  changed: boolean
}

/** The number of matching guests, the first of them, and the guests that the change adds and removes. */
export function PreviewPanel({ loading, preview, refusal, incomplete, changed }: PreviewPanelProps) {
  const t = useTranslations('client.segments.preview')
  const failed = refusal?.code === 'RATE_LIMITED' ? t('limited') : refusal ? t('failed') : ''
  const trouble = incomplete ? t('incomplete') : failed
  return (
    <Panel
      title={t('title')}
      aside={loading ? <Loader size={14} role="status" aria-label={t('loading')} /> : null}
    >
      <div
        className={classes.preview}
        aria-busy={loading}
        data-stale={loading || trouble !== '' || undefined}
      >
        <p role="status" className={classes.count}>
          {preview ? t('count', { count: preview.customers }) : null}
        </p>
        <p className={classes.missing}>{trouble}</p>
        {preview && changed && preview.added && preview.dropped ? (
          <>
            <Guests
              title={t('added', { count: preview.added.customers })}
              guests={preview.added.first}
              rest={preview.added.customers - preview.added.first.length}
            />
            <Guests
              title={t('dropped', { count: preview.dropped.customers })}
              guests={preview.dropped.first}
              rest={preview.dropped.customers - preview.dropped.first.length}
            />
          </>
        ) : null}
        {preview ? (
          <Guests
            title={t('first', { count: preview.first.length })}
            guests={preview.first}
            rest={preview.customers - preview.first.length}
          />
        ) : null}
      </div>
    </Panel>
  )
}

function Guests({ title, guests, rest }: { title: string; guests: readonly SegmentGuest[]; rest: number }) {
  const t = useTranslations('client.segments.preview')
  const format = useFormatter()
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      {guests.length > 0 ? (
        <ul className={classes.guests} aria-label={title}>
          {guests.map(({ id, name, email, phone, tier, total_visits, last_visit_on, allergies }) => (
            <li key={id}>
              <Link href={`/customers/${id}`} target="_blank" prefetch={false}>
                {name ?? (email && readableEmail(email)) ?? phone ?? t('someone')}
              </Link>
              <span>
                {[
                  tier,
                  t('visits', { count: total_visits }),
                  last_visit_on && format.dateTime(calendarDate(last_visit_on), 'date'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <AllergiesByCode codes={allergies} />
            </li>
          ))}
        </ul>
      ) : null}
      {rest > 0 ? <p className={classes.rest}>{t('more', { count: rest })}</p> : null}
    </div>
  )
}
