'use client'
import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import type { AutomationPreview } from '@/lib/automations/schema'
import classes from './preview-panel.module.css'

/** The message as one customer would get it. */
export function MessagePreview({ preview: { matched, sample } }: { preview: AutomationPreview }) {
  const t = useTranslations('client.automationEditor.preview')
  if (!sample) return <p className={classes.dim}>{t('nobody')}</p>
  const { channel, subject, body, content_sid, content_variables } = sample
  return (
    <div>
      <p className={classes.for}>
        {t('asFor')}{' '}
        <Link href={`/customers/${sample.customer_id}`} target="_blank" prefetch={false}>
          {sample.customer_name ?? t('someone')}
        </Link>
        {matched === 0 ? `. ${t('notMatched')}` : null}
      </p>
      <div className={classes.message} data-channel={channel}>
        {channel === 'email' ? (
          <div className={classes.subject}>
            {subject || <span className={classes.dim}>{t('noSubject')}</span>}
          </div>
        ) : null}
        {content_sid ? (
          <>
            <div className={classes.text}>
              {t('template', { sid: content_sid })}
              <br />
              <span className={classes.dim}>{t('templateHint')}</span>
            </div>
            <dl className={classes.variables}>
              {Object.entries(content_variables).map(([name, value]) => (
                <Pair key={name} name={name} value={value} />
              ))}
            </dl>
          </>
        ) : (
          <div className={classes.text}>
            {body?.trim() ? body : <span className={classes.dim}>{t('empty')}</span>}
          </div>
        )}
      </div>
    </div>
  )
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}
