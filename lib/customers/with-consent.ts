import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { consentSchema } from './consent'
import type { Customer } from './schema'

const rowsSchema = z.array(z.object({ customer_id: z.string(), consent: consentSchema }))

/** The customers with their consent, all of them in one question; one who was erased meanwhile is left out. */
export async function withConsent<Row extends Omit<Customer, 'consent'>>(
  { db }: Pick<Session, 'db'>,
  rows: readonly Row[],
): Promise<(Row & Pick<Customer, 'consent'>)[]> {
  if (rows.length === 0) return []
  const found = unwrap(await db.rpc('consents_of', { p_ids: rows.map(({ id }) => id) }))
  const consents = new Map(rowsSchema.parse(found).map(({ customer_id, consent }) => [customer_id, consent]))
  return rows.flatMap((row) => {
    const consent = consents.get(row.id)
    return consent ? [{ ...row, consent }] : []
  })
}
