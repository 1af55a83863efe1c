/** The languages of the interface; the first one is the default. */
export const LOCALES = ['es', 'en'] as const
export type Locale = (typeof LOCALES)[number]

/** The cookie that keeps a person's choice. */
export const LOCALE_COOKIE = 'NEXT_LOCALE'

/** The organization's time zone: instants are shown in it. Reservations carry their location's local time. */
export const TIME_ZONE = 'Europe/Madrid'
