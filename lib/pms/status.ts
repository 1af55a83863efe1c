/** The states of a reservation here. */
export const RESERVATION_STATUSES = [
  'pending',
  'confirmed',
  'seated',
  'completed',
  'cancelled',
  'no_show',
] as const
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number]

const FROM_PMS: Record<string, ReservationStatus> = {
  pending: 'pending',
  confirmed: 'confirmed',
  seated: 'seated',
  finished: 'completed',
  cancelled: 'cancelled',
  no_show: 'no_show',
  // Codes seen in practice: 3 pre-confirmed by a third party, 5 arrived, 9 walk-in, -2 and -5 cancelled.
  '0': 'pending',
  '1': 'confirmed',
  '2': 'seated',
  '3': 'pending',
  '5': 'seated',
  '9': 'seated',
  '-2': 'cancelled',
  '-3': 'no_show',
  '-5': 'cancelled',
}

/** The local status of a PMS status (text or code), or null when the PMS uses one we do not know. */
export function statusFromPms(raw: string | null): ReservationStatus | null {
  return raw === null ? null : (FROM_PMS[raw.toLowerCase()] ?? null)
}
