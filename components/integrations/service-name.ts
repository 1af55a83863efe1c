import { useTranslations } from 'next-intl'
import { type ServiceWords, serviceWords } from '@/lib/integrations/service-words'
import type { IntegrationType } from '@/lib/integrations/types'

/** What texts about an outside service ask for, in the reader's language. */
export function useServiceName(): (type: IntegrationType) => ServiceWords {
  const names = useTranslations('client.integrations.names')
  return (type) => serviceWords(type, names(type))
}
