/** The settings in days, and their limits in the API and the database. */
export const DAYS = {
  frequency_cap_days: { min: 0, max: 365 },
  horizon_days: { min: 1, max: 365 },
  keep_job_runs_days: { min: 7, max: 730 },
  keep_automation_runs_days: { min: 30, max: 3650 },
  keep_webhook_receipts_days: { min: 7, max: 730 },
  keep_failed_rows_days: { min: 1, max: 365 },
} as const

/** The assistant's daily ceilings: questions and tokens, in total and per person. */
export const AI_CEILINGS = {
  ai_daily_calls: { min: 0, max: 100_000 },
  ai_daily_calls_per_person: { min: 0, max: 100_000 },
  ai_daily_tokens: { min: 0, max: 1_000_000_000 },
  ai_daily_tokens_per_person: { min: 0, max: 1_000_000_000 },
} as const

/** The share of an automation's guests in its control group, in per cent. */
export const CONTROL_SHARE = { min: 0, max: 50 } as const

/** The price of one SMS segment, in EUR. */
export const SMS_PRICE = { min: 0, max: 10 } as const

/** The number of customers above which a send needs a second person's approval. */
export const APPROVE_ABOVE = { min: 1, max: 1_000_000 } as const

/** Minutes for which a freed table is held for a waiting party. */
export const OFFER_MINUTES = { min: 5, max: 60 } as const
