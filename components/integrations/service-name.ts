import { useTranslations } from 'next-intl'
import type { IntegrationType } from '@/lib/integrations/types'

/** What texts about an outside service say: its type, its name, and its name at the beginning of a sentence. */
export function useServiceName(): (type: IntegrationType) => Record<'type' | 'name' | 'subject', string> {
  const names = useTranslations('client.integrations.names')
  return (type) => {
    const name = names(type)
    return { type, name, subject: name.charAt(0).toUpperCase() + name.slice(1) }
  }
}
