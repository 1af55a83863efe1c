/** The settings that are a number of days, and what the API and the database take for each. */
export const DAYS = {
  frequency_cap_days: { min: 0, max: 365 },
  horizon_days: { min: 1, max: 365 },
  keep_job_runs_days: { min: 7, max: 730 },
  keep_automation_runs_days: { min: 30, max: 3650 },
  keep_webhook_receipts_days: { min: 7, max: 730 },
  keep_failed_rows_days: { min: 1, max: 365 },
} as const
