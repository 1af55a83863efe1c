import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import { isUuid } from '@/lib/uuid'
import { allergyCodes, FACT_CODES } from './fact-codes'
import { suggestFacts } from './facts'
import { type GuestCard, guestCardSchema } from './guest-card-schema'

const storedSchema = guestCardSchema
  .omit({ suggested: true, allergies: true })
  .extend({ booking_notes: z.array(z.string()) })

/**
 * The guest's card for floor staff: the facts in the order of the codes, and further facts that the notes, the tags and
 * the notes of the latest 20 reservations suggest. Null when the caller may not use the card.
 */
export async function readGuestCard({ db }: Pick<Session, 'db'>, id: string): Promise<GuestCard | null> {
  if (!isUuid(id)) return null
  const found = unwrap(await db.rpc('guest_card', { p_customer: id }))
  if (found === null) return null
  const { booking_notes, ...card } = storedSchema.parse(found)
  const facts = FACT_CODES.flatMap((code) => card.facts.find((fact) => fact.code === code) ?? [])
  const suggested = suggestFacts(card.notes, ...card.tags, ...booking_notes)
  return {
    ...card,
    allergies: allergyCodes(facts),
    facts,
    suggested: suggested.filter((code) => !facts.some((fact) => fact.code === code)),
  }
}

/**
 * The card of a guest.
 * @throws HttpError 404 when the caller may not use it.
 */
export async function guestCard(session: Pick<Session, 'db'>, id: string): Promise<GuestCard> {
  const card = await readGuestCard(session, id)
  if (!card) throw notFoundError()
  return card
}

/**
 * Changes the notes of a guest whose card the caller may use; null clears them.
 * @throws HttpError 404.
 */
export async function saveGuestNotes(
  session: Pick<Session, 'db'>,
  id: string,
  notes: string | null,
): Promise<GuestCard> {
  // The generated types do not know that a parameter may be null.
  const parameters = { p_customer: id, p_notes: notes as string }
  if (unwrap(await session.db.rpc('save_guest_notes', parameters)) !== 'saved') throw notFoundError()
  return guestCard(session, id)
}
