/** What the group may write to imported people on; see the customers' consent. */
export const CONSENTS = ['opt_in', 'existing_customer', 'none'] as const
export type Consent = (typeof CONSENTS)[number]

/** Who sends a file without a word on it declares its people customers of the group. */
export const DEFAULT_CONSENT: Consent = 'existing_customer'
