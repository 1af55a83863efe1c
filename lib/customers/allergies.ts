import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import type { FactCode } from './fact-codes'

/** A recorded allergy of a guest. */
export interface Allergy {
  code: FactCode
  note: string | null
}

/** As many as guest_allergies answers at once. */
const MAX_GUESTS = 500

/** The recorded allergies of these customers, by their id; of guests whom the caller may read or has a booking of. */
export async function allergiesOf(
  { db }: Pick<Session, 'db'>,
  customerIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, Allergy[]>> {
  const ids = [...new Set(customerIds.filter((id) => id !== null))]
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_GUESTS) }, (_, part) =>
    ids.slice(part * MAX_GUESTS, (part + 1) * MAX_GUESTS),
  )
  const answers = await Promise.all(parts.map((part) => db.rpc('guest_allergies', { p_customers: part })))
  const rows = answers.flatMap((answer) => (unwrap(answer) ?? []) as (Allergy & { customer_id: string })[])
  return Map.groupBy(rows, ({ customer_id }) => customer_id)
}

/** What names a guest, with the codes of the guest's allergies, as the API gives them. */
export async function withAllergies<R extends { customer_id: string | null }>(
  session: Pick<Session, 'db'>,
  rows: readonly R[],
): Promise<(R & { allergies: string[] })[]> {
  const known = await allergiesOf(
    session,
    rows.map(({ customer_id }) => customer_id),
  )
  return rows.map((row) => ({
    ...row,
    allergies: (known.get(row.customer_id ?? '') ?? []).map(({ code }) => code),
  }))
}

/** The same for one. */
export async function withItsAllergies<R extends { customer_id: string | null }>(
  session: Pick<Session, 'db'>,
  row: R,
): Promise<R & { allergies: string[] }> {
  const [told] = await withAllergies(session, [row])
  return told ?? { ...row, allergies: [] }
}
