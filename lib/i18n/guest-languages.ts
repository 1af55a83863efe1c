/** The languages in which guests may be written to, and which their pages speak (BCP 47); the first is the usual one. */
export const GUEST_LANGUAGES = ['es', 'ca', 'eu', 'gl', 'en', 'fr', 'pt', 'it', 'de', 'nl'] as const
export type GuestLanguage = (typeof GUEST_LANGUAGES)[number]

/** Each language by its own name, for a choice that is read by those who speak it. */
export const LANGUAGE_NAMES: Record<GuestLanguage, string> = {
  es: 'Español',
  ca: 'Català',
  eu: 'Euskara',
  gl: 'Galego',
  en: 'English',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
  de: 'Deutsch',
  nl: 'Nederlands',
}

const LANGUAGES: ReadonlySet<unknown> = new Set(GUEST_LANGUAGES)
/** Whether it is the code of one of the languages. */
export const isGuestLanguage = (code: unknown): code is GuestLanguage => LANGUAGES.has(code)

/** The language of a code in any case, with a region or without: `fr`, `ES`, `fr-FR`, `ca_ES`. Null for any other text. */
export function languageOf(code: string): GuestLanguage | null {
  const [, base = ''] = /^([a-z]{2})(?:[-_][a-z0-9]+)*$/.exec(code.trim().toLowerCase()) ?? []
  return isGuestLanguage(base) ? base : null
}
