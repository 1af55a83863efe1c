import type { Enums } from '@/lib/db/database.types'

/** A number among the criteria of an automation; whole, unless `decimal`. */
interface NumberRule {
  min: number
  max: number
  /** What it is when left out; without it there is none then. */
  initial?: number
  decimal?: true
}

/** What a type of automation is, and what follows from it. */
interface AutomationRule {
  /** Consent, cap, quiet hours and control group apply to marketing alone. */
  kind: 'marketing' | 'transactional'
  /** What a message is about, and with it the variables on offer: a visit has a survey. */
  about: 'guest' | 'reservation' | 'visit'
  /** The numbers of its criteria, in the order of the form. `window_hours` must be more than `hours_after`. */
  numbers: Readonly<Record<string, NumberRule>>
}

/** From hours_after to window_hours after a reservation's time. */
const AFTERWARDS = {
  hours_after: { min: 0, max: 720, initial: 24 },
  window_hours: { min: 1, max: 2160, initial: 72 },
} as const

/**
 * What an automation may be for. Checks, the form, its variables and the API's description follow from here; SQL has the
 * type automation_type, and in logic/automations/audience.sql whom each writes to. CONTRIBUTING.md has the recipe.
 */
const AUTOMATIONS = {
  /** From `days_before` the birthday, once a year. */
  birthday: {
    kind: 'marketing',
    about: 'guest',
    numbers: { days_before: { min: 0, max: 60, initial: 7 } },
  },
  /** To customers without a visit for `inactive_days`, once in 90 days. */
  reengagement: {
    kind: 'marketing',
    about: 'guest',
    numbers: {
      inactive_days: { min: 1, max: 3650, initial: 90 },
      min_visits: { min: 0, max: 100_000, initial: 1 },
    },
  },
  /** To customers of the tier (check.ts) or a higher one, or with this spend (EUR), once in 60 days. */
  vip_reward: {
    kind: 'marketing',
    about: 'guest',
    numbers: { min_spend: { min: 0, max: 9_999_999_999, decimal: true } },
  },
  /** After a visit, once a reservation. */
  post_visit: { kind: 'marketing', about: 'visit', numbers: AFTERWARDS },
  /** After a reservation whose guest did not come, and has not come or booked since, once a reservation. */
  no_show: { kind: 'marketing', about: 'reservation', numbers: AFTERWARDS },
  /**
   * To customers with a confirmed reservation ahead, once a reservation. When it asks (check.ts), what they answer within
   * answer_hours is understood, and who does not is asked again nudge_hours before.
   */
  reservation_confirmation: {
    kind: 'transactional',
    about: 'reservation',
    numbers: { answer_hours: { min: 1, max: 720, initial: 72 }, nudge_hours: { min: 1, max: 168 } },
  },
} as const satisfies Record<Exclude<Enums<'automation_type'>, 'campaign'>, AutomationRule>

export type AutomationType = keyof typeof AUTOMATIONS
export const AUTOMATION_TYPES = Object.keys(AUTOMATIONS) as [AutomationType, ...AutomationType[]]

type KeysOf<T> = T extends unknown ? keyof T : never
/** A number among the criteria of some type. */
export type CriteriaNumber = KeysOf<(typeof AUTOMATIONS)[AutomationType]['numbers']>

/** The numbers of a type's criteria, by name. */
export const numbersOf = (type: AutomationType) =>
  Object.entries(AUTOMATIONS[type].numbers) as [CriteriaNumber, NumberRule][]

/** What a message of the type, or of a campaign, is about. */
export const aboutOf = (type: string): AutomationRule['about'] =>
  type in AUTOMATIONS ? AUTOMATIONS[type as AutomationType].about : 'guest'

/** Whether consent, cap, quiet hours and control group apply to the type, or to a campaign. */
export const isMarketing = (type: string): boolean =>
  !(type in AUTOMATIONS) || AUTOMATIONS[type as AutomationType].kind === 'marketing'
