import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Chat } from '@/components/assistant/chat'
import { NotConfigured } from '@/components/assistant/not-configured'
import { suggestionsFor } from '@/components/assistant/suggestions'
import { readContext } from '@/lib/assistant/context'
import { isConfigured } from '@/lib/assistant/is-configured'
import { pageSession } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('assistant') }
}

/** A conversation with the assistant, for every role. */
export default async function AssistantPage() {
  const session = await pageSession()
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
