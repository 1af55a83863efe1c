import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { IntegrationCard } from '@/components/integrations/integration-card'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { readIntegrations } from '@/lib/integrations/integrations'
import { sendingSettings } from '@/lib/messaging/providers'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('integrations') }
}

/** The outside services the organization works with. */
export default async function IntegrationsPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [integrations, t] = await Promise.all([
    readIntegrations(session),
    getTranslations('settings.integrations'),
  ])
  const { sandbox, links } = sendingSettings()
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <div className={classes.notes} role="note">
        <p>{t(sandbox ? 'sandboxOn' : 'sandboxOff')}</p>
        {links ? null : <p>{t('noAppUrl')}</p>}
      </div>
      <div className={classes.grid}>
        {[integrations.slice(0, 2), integrations.slice(2)].map((column) => (
          <div key={column[0]?.integration_type} className={classes.column}>
            {column.map((integration) => (
              // Other pages link to a single integration.
              <div key={integration.integration_type} id={integration.integration_type}>
                <IntegrationCard integration={integration} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  )
}
