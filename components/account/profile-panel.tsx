import { getTranslations } from 'next-intl/server'
import { Panel } from '@/components/ui/panel'
import type { PersonSession } from '@/lib/auth/session'
import { listLocations } from '@/lib/locations/locations'
import classes from './account.module.css'

/** The person's profile, read-only: administrators change it. */
export async function ProfilePanel({ session }: { session: PersonSession }) {
  const [locations, t, roles] = await Promise.all([
    listLocations(session),
    getTranslations('account.profile'),
    getTranslations('roles'),
  ])
  const facts = [
    [t('name'), session.full_name ?? t('unknown')],
    [t('email'), session.email],
    [t('role'), roles(session.role)],
    [t('locations'), locations.map(({ name }) => name).join(', ') || t('unknown')],
  ]
  return (
    <Panel title={t('title')}>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.hint}>{t('hint')}</p>
    </Panel>
  )
}
