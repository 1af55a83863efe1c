import { getTranslations } from 'next-intl/server'
import { Panel } from '@/components/ui/panel'
import type { PersonSession } from '@/lib/auth/session'
import { myMorningMail } from '@/lib/morning/mail'
import { MORNING_HOURS } from '@/lib/morning/schema'
import classes from './account.module.css'
import { MorningMail } from './morning-mail'

/** The morning report by e-mail, for people who may read the report. */
export async function MorningMailPanel({ session }: { session: PersonSession }) {
  if (!session.can('canReadReports')) return null
  const [{ hour, timezone }, t] = await Promise.all([
    myMorningMail(session),
    getTranslations('account.morning'),
  ])
  return (
    <Panel title={t('title')}>
      <MorningMail hour={hour} hours={MORNING_HOURS} />
      <p className={classes.hint}>{t('hint', { timezone })}</p>
    </Panel>
  )
}
