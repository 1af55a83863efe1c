/** The languages of the interface; the first one is the default. */
export const LOCALES = ['es', 'en'] as const
export type Locale = (typeof LOCALES)[number]

/** The cookie that keeps a person's choice. */
export const LOCALE_COOKIE = 'NEXT_LOCALE'

/** The time zone of pages outside of a group; within one its own setting counts (session.organization.timezone). */
export const TIME_ZONE = 'Europe/Madrid'
