import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { FACT_CODES, kindOf } from './fact-codes'
import { suggestFacts } from './facts'
import { type CustomerFacts, type factChangesSchema, factSchema } from './facts-schema'
import { guestCard } from './guest-card'
import type { Customer } from './schema'

const NOTES_READ = 20

/**
 * The recorded facts of a customer, in the order of the codes, and further facts that the notes, the tags and the notes
 * of the latest 20 reservations suggest. Only reservations that the caller may read are used.
 */
export async function factsOf(
  { db }: Pick<Session, 'db'>,
  { id, notes, tags }: Pick<Customer, 'id' | 'notes' | 'tags'>,
): Promise<CustomerFacts> {
  const [recorded, booked] = await Promise.all([
    db.from('customer_facts').select('code, kind, note').eq('customer_id', id),
    db
      .from('reservations')
      .select('notes')
      .eq('customer_id', id)
      .neq('source', 'import')
      .order('service_order', { ascending: false })
      .order('id', { ascending: false })
      .limit(NOTES_READ),
  ])
  const rows = z.array(factSchema).parse(unwrap(recorded))
  const facts = FACT_CODES.flatMap((code) => rows.find((row) => row.code === code) ?? [])
  const bookingNotes = (unwrap(booked) ?? []).map((reservation) => reservation.notes)
  const suggested = suggestFacts(notes, ...tags, ...bookingNotes)
  return { facts, suggested: suggested.filter((code) => !facts.some((fact) => fact.code === code)) }
}

/**
 * The facts of the customer with that id, and the suggested ones, for callers who may use the guest's card.
 * @throws HttpError 404 when the customer does not exist or is not visible.
 */
export async function readFacts(session: Pick<Session, 'db'>, id: string): Promise<CustomerFacts> {
  const { facts, suggested } = await guestCard(session, id)
  return { facts, suggested }
}

/**
 * Replaces the recorded facts of a customer. Unchanged facts keep their author and time. The log records that facts
 * changed, but not which.
 * @throws HttpError 404 when the customer does not exist or is not visible.
 */
export async function recordFacts(
  session: Pick<Session, 'db'>,
  id: string,
  { facts }: z.infer<typeof factChangesSchema>,
): Promise<CustomerFacts> {
  const p_facts = facts.map(({ code, note = null }) => ({ code, kind: kindOf(code), note }))
  const outcome = unwrap(await session.db.rpc('save_customer_facts', { p_customer: id, p_facts }))
  if (outcome !== 'saved') throw new HttpError('NOT_FOUND')
  return readFacts(session, id)
}
