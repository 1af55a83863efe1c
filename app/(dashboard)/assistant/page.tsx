import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Chat } from '@/components/assistant/chat'
import { NotConfigured } from '@/components/assistant/not-configured'
import { suggestionsFor } from '@/components/assistant/suggested-questions'
import { NoAccess } from '@/components/ui/state-page'
import { isConfigured, readContext } from '@/lib/assistant/context'
import { pageSessionWith } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('assistant') }
}

/** A conversation with the assistant, for all office roles. */
export default async function AssistantPage() {
  const session = await pageSessionWith('canWorkInOffice')
  if (!session) return <NoAccess />
  const [configured, context, t] = await Promise.all([
    isConfigured(session),
    readContext(session),
    getTranslations('assistant.suggestions'),
  ])
  return (
    <Chat
      userId={session.user_id}
      configured={configured}
      suggestions={suggestionsFor(context, session.can, t)}
      notConfigured={<NotConfigured mayConfigure={session.can('canViewSettings')} />}
    />
  )
}
