import { HttpError } from './errors'

/**
 * Answers what an SQL function refused: outcomes that `refusals` names become its status and text.
 * @throws HttpError
 */
export function refuse(
  outcome: string | null,
  refusals: Readonly<Record<string, readonly [status: number, error: string]>>,
): void {
  const refusal = outcome === null ? undefined : refusals[outcome]
  if (refusal) throw new HttpError(refusal[0], { error: refusal[1] })
}

/** 404 of a record that is not there, or not visible to the caller. */
export const notFoundError = () => new HttpError(404, { error: 'Not found' })

/** What the saving functions of calendar events and tickets refuse. */
export const RECORD_REFUSALS = {
  not_found: [404, 'Not found'],
  forbidden: [403, 'Forbidden'],
  unknown_location: [400, 'location_id: not one of your locations'],
  unknown_customer: [400, 'customer_id: no such customer'],
  unknown_assignee: [400, 'assignee_id: no such person'],
  ends_before_start: [400, 'ends_at: before event_datetime'],
} as const
