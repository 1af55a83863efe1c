import type { Campaign } from '@/lib/campaigns/schema'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'

/** The languages in which a campaign is written beside the group's. Apart from its choice, as the server asks, too. */
export const languagesOf = ({ messages }: Pick<Campaign, 'messages'>): GuestLanguage[] => [
  ...new Set(messages.flatMap(({ versions }) => versions.map(({ language }) => language))),
]
