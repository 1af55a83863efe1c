/** What an automation may be for; lib/automations/check.ts has each one's criteria. Client components need only this. */
export const AUTOMATION_TYPES = [
  'birthday',
  'reengagement',
  'vip_reward',
  'post_visit',
  'reservation_confirmation',
] as const
export type AutomationType = (typeof AUTOMATION_TYPES)[number]
