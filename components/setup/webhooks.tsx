import { useFormatter, useNow, useTranslations } from 'next-intl'
import { useServiceName } from '@/components/integrations/service-name'
import { WEBHOOK_TYPES, type WebhookType } from '@/lib/integrations/types'
import type { SetupEntries } from '@/lib/setup/schema'
import { CopyText } from './copy-text'
import classes from './setup-list.module.css'

// As in public.setup_progress, which ticks this step off: what is ticked off must not be called late.
const LATE_MS = 2 * 60 * 60_000

interface WebhooksProps {
  progress: SetupEntries
  origin: string
}

/** The addresses that others call, where to enter them, and when each was last called. */
export function Webhooks({ progress, origin }: WebhooksProps) {
  const t = useTranslations('setup.page')
  const serviceOf = useServiceName()
  return (
    <div className={classes.webhooks}>
      {WEBHOOK_TYPES.map((provider) => (
        <section key={provider} aria-label={t(`heard.${provider}Title`)}>
          <h3>{t(`heard.${provider}Title`)}</h3>
          <p>{t(`heard.${provider}Text`)}</p>
          <CopyText
            label={t('heard.address', { name: serviceOf(provider).name })}
            text={`${origin}/api/webhooks/${provider}`}
          />
          <Heard provider={provider} times={progress.webhooks[provider]} />
        </section>
      ))}
      <Schedule last={progress.schedule} origin={origin} />
    </div>
  )
}

interface HeardProps {
  provider: WebhookType
  times: SetupEntries['webhooks'][WebhookType]
}

function Heard({ provider, times }: HeardProps) {
  const t = useTranslations('setup.page.heard')
  const ago = useAgo()
  const { heard_at, refused_at } = times
  const refused = refused_at !== null && (heard_at === null || refused_at > heard_at)
  return (
    <>
      <p className={heard_at ? classes.done : undefined}>
        {heard_at ? t('last', { when: ago(heard_at) }) : t('never')}
      </p>
      {refused ? <p className={classes.failed}>{t('refused', { provider, when: ago(refused_at) })}</p> : null}
    </>
  )
}

function Schedule({ last, origin }: { last: string | null; origin: string }) {
  const t = useTranslations('setup.page.schedule')
  const ago = useAgo()
  const now = useNow()
  const late = last !== null && now.getTime() - Date.parse(last) > LATE_MS
  const address = `${origin}/api/cron/master`
  return (
    <section aria-label={t('title')}>
      <h3>{t('title')}</h3>
      <p className={last && !late ? classes.done : undefined}>
        {last ? t('last', { when: ago(last) }) : t('never')}
      </p>
      {late ? <p className={classes.failed}>{t('late')}</p> : null}
      <details className={classes.fold}>
        <summary>{t('how')}</summary>
        <p>{t('text')}</p>
        <CopyText label={t('address')} text={address} />
        <CopyText label={t('crontab')} text={crontab(address)} />
        <CopyText label={t('sql')} text={sql(address)} />
      </details>
    </section>
  )
}

/** How long ago a moment was, in words. */
function useAgo(): (at: string) => string {
  const format = useFormatter()
  const now = useNow()
  return (at) => {
    const moment = new Date(at)
    // Another machine's clock may be ahead.
    return format.relativeTime(moment, moment > now ? moment : now)
  }
}

// The same commands as in docs/deploy.md.
const crontab = (address: string) =>
  `CRON_SECRET=<CRON_SECRET>\n*/15 * * * * curl -fsS -H "Authorization: Bearer $CRON_SECRET" ${address}`

const sql = (address: string) => `select vault.create_secret('<CRON_SECRET>', 'sobremesa_cron');
select cron.schedule('sobremesa', '*/15 * * * *', $$
  select net.http_get('${address}', timeout_milliseconds => 300000, headers => jsonb_build_object(
    'Authorization', 'Bearer ' || (select decrypted_secret from vault.decrypted_secrets where name = 'sobremesa_cron'))) $$);`
