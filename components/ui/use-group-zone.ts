import { useTimeZone } from 'next-intl'
import { TIME_ZONE } from '@/lib/i18n/locales'

/** The group's time zone, on its pages; see `lib/i18n/request.ts`. */
export const useGroupZone = (): string => useTimeZone() ?? TIME_ZONE
