import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { IntegrationCard } from '@/components/integrations/integration-card'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { readIntegrations } from '@/lib/integrations/integrations'
import type { Integration } from '@/lib/integrations/schema'
import { channelsOf } from '@/lib/integrations/types'
import { CHANNELS } from '@/lib/messaging/channels'
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
  const isQuiet = !sandbox && hasEveryChannel(integrations)
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      {isQuiet && links ? null : (
        <div className={classes.notes} role="note">
          {isQuiet ? null : <p>{t(sandbox ? 'sandboxOn' : 'sandboxOff')}</p>}
          {links ? null : <p>{t('noAppUrl')}</p>}
        </div>
      )}
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

/** Whether e-mail, SMS and WhatsApp all have a provider that is on. */
function hasEveryChannel(integrations: readonly Integration[]): boolean {
  const open = integrations.flatMap(({ integration_type: type, is_enabled, config }) =>
    is_enabled ? channelsOf(type, config) : [],
  )
  return CHANNELS.every((channel) => open.includes(channel))
}
