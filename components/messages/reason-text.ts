import type { Messages, useTranslations } from 'next-intl'

type Reasons = Messages['client']['messageReasons']
/** A reason whose text needs no variable. */
type Plain = Exclude<keyof Reasons, 'other' | 'provider_code'>

/**
 * Returns why a message was skipped or failed, or a run is paused, in words. `t` is that of `client.messageReasons`.
 */
export function reasonText(
  t: ReturnType<typeof useTranslations<'client.messageReasons'>>,
  reason: string | null,
): string {
  if (reason === null || reason === '') return t('none')
  const code = /^twilio_(\d+)$/.exec(reason)?.[1]
  if (code) return t('provider_code', { code })
  if (/^[a-z_]+$/.test(reason) && t.has(reason as Plain)) return t(reason as Plain)
  if (reason.startsWith('template_')) return t('template')
  // The reason is the provider's own text.
  return t('other', { reason })
}
