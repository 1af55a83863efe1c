import { useTranslations } from 'next-intl'
import type { PersonSession } from '@/lib/auth/session'
import classes from './settings-nav.module.css'
import { SettingsTab } from './settings-tab'

/** The sections of the settings. */
export function SettingsNav({ can, role }: Pick<PersonSession, 'can' | 'role'>) {
  const t = useTranslations('settings.nav')
  return (
    <nav aria-label={t('label')} className={classes.nav}>
      <ul className={classes.list}>
        <SettingsTab href="/settings/general" label={t('general')} />
        <SettingsTab href="/settings/setup" label={t('setup')} />
        <SettingsTab href="/settings/integrations" label={t('integrations')} />
        <SettingsTab href="/settings/import" label={t('import')} />
        <SettingsTab href="/settings/locations" label={t('locations')} />
        {can('canManageTeam') ? <SettingsTab href="/settings/team" label={t('team')} /> : null}
        {can('canManageTeam') ? <SettingsTab href="/settings/tokens" label={t('tokens')} /> : null}
        <SettingsTab href="/settings/identity" label={t('identity')} />
        <SettingsTab href="/settings/jobs" label={t('jobs')} />
        <SettingsTab href="/settings/audit" label={t('audit')} />
        {role === 'super_admin' ? (
          <SettingsTab href="/settings/installation" label={t('installation')} />
        ) : null}
      </ul>
    </nav>
  )
}
