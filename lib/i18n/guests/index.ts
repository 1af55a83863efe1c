import type { es } from '../es'
import type { GuestLanguage } from '../guest-languages'
import type { Locale } from '../locales'

/** The languages that only guests' pages speak. */
export type FurtherLanguage = Exclude<GuestLanguage, Locale>

/** What guests' pages say; the form of address is the polite one of each language where Spanish says “tú”. */
export type GuestTexts = Pick<typeof es, 'guests' | 'survey' | 'unsubscribe'> & {
  error: Omit<typeof es.client.error, 'text'>
}

// The type makes a missing text an error; loaded when a guest comes, so that staff's pages do without.
const FURTHER: Record<FurtherLanguage, () => Promise<{ default: GuestTexts }>> = {
  ca: () => import('./ca.json'),
  eu: () => import('./eu.json'),
  gl: () => import('./gl.json'),
  fr: () => import('./fr.json'),
  pt: () => import('./pt.json'),
  it: () => import('./it.json'),
  de: () => import('./de.json'),
  nl: () => import('./nl.json'),
}

/** The interface language that stands in for what guests' pages never say in theirs (a page of staff's, a new text). */
export const NEXT_BEST: Record<FurtherLanguage, Locale> = {
  ...{ ca: 'es', eu: 'es', gl: 'es' },
  ...{ fr: 'en', pt: 'en', it: 'en', de: 'en', nl: 'en' },
}

/** The texts of guests' pages in one of the languages that the interface does not have. */
export const furtherTexts = async (language: FurtherLanguage): Promise<GuestTexts> =>
  (await FURTHER[language]()).default
