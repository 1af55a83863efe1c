/** The bases for marketing that a person can declare for a file (lib/customers/consent.ts). */
export const CONSENTS = ['opt_in', 'existing_customer', 'none'] as const
export type Consent = (typeof CONSENTS)[number]

/** For a file sent without a declaration: its people count as existing customers of the group. */
export const DEFAULT_CONSENT: Consent = 'existing_customer'
