import type { useTranslations } from 'next-intl'
import type { Enums } from '@/lib/db/database.types'

type OfTemplate = 'template_too_long' | 'template_too_slow' | 'template_unknown_variable'

/**
 * Returns why a message was skipped or failed, or a run is paused, in words. `t` is that of `client.messageReasons`, which
 * has words for every code of the database's list: one without them does not compile.
 */
export function reasonText(
  t: ReturnType<typeof useTranslations<'client.messageReasons'>>,
  reason: string | null,
): string {
  const code = /^twilio_(\d+)$/.exec(reason ?? '')?.[1]
  if (code) return t('provider_code', { code })
  const known = (reason || 'none') as Enums<'message_reason'> | OfTemplate
  if (/^[a-z_]+$/.test(known) && t.has(known)) return t(known)
  return t(reason?.startsWith('template_') ? 'template' : 'none')
}
