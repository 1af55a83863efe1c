import type { useTranslations } from 'next-intl'
import type { NoShowRisk } from '@/lib/reservations/risk-schema'

export const RISK_TONES = { low: 'neutral', medium: 'amber', high: 'red' } as const

/** Days ahead, and guests, from which these are named. */
const LONG_AHEAD = 8
const LARGE = 7

/** Why a no-show is as likely as it is, in words: `no se presentó en 2 de 5 reservas · no ha confirmado`. */
export function riskReasons(t: ReturnType<typeof useTranslations<'client.risk'>>, risk: NoShowRisk): string {
  const { bookings, no_shows, lead_days: lead, party_size, confirmed } = risk
  return [
    bookings === 0 ? t('first') : t('history', { missed: no_shows, bookings }),
    lead !== null && lead >= LONG_AHEAD ? t('lead', { days: lead }) : null,
    party_size >= LARGE ? t('party', { count: party_size }) : null,
    t(confirmed ? 'confirmed' : 'unconfirmed'),
  ]
    .filter(Boolean)
    .join(' · ')
}
