/** What the API asks before it saves a reservation, in this order. A request answers with yes in `confirm`. */
export const QUESTIONS = [
  'SERVICE_OVER',
  'TABLE_TAKEN',
  'TABLE_TOO_SMALL',
  'CLOSED',
  'OUTSIDE_HOURS',
  'UNUSUAL_AMOUNT',
] as const
export type Question = (typeof QUESTIONS)[number]

/** An answer of yes. */
export type Confirmed = Lowercase<Question>
export const confirmed = (question: Question) => question.toLowerCase() as Confirmed

/** The party that has the table, of a TABLE_TAKEN; local times, `HH:mm`. */
export interface TakenBy {
  reservation_id: string
  customer_name: string | null
  from: string
  until: string
}
