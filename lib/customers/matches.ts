import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { canonicalEmail } from '@/lib/contact/email'
import { canonicalPhone } from '@/lib/contact/phone'
import { unwrap } from '@/lib/db/errors'
import { type GuestMatch, guestMatchSchema, type MatchReason, type typedGuest } from './matches-schema'

const foundSchema = z.array(
  guestMatchSchema.omit({ chance: true, reasons: true }).extend({
    probability: z.number(),
    certain: z.boolean(),
    reasons: z.record(z.string(), z.string()).nullable(),
  }),
)

const VERY_LIKELY = 0.95

/** What a field that agrees at a level of the model says; other levels say nothing in favour. */
const REASONS: Readonly<Record<string, Readonly<Record<string, MatchReason>>>> = {
  phone: { exact: 'phone', close: 'phone_close', two_digits: 'phone_close' },
  email: {
    exact: 'email',
    mailbox: 'email',
    local_part: 'email_close',
    name: 'email_close',
    close: 'email_close',
  },
  given: {
    exact: 'name',
    swapped: 'name',
    nickname: 'nickname',
    close: 'name_close',
    similar: 'name_close',
    part: 'name_close',
  },
  surname: { exact: 'surname', both: 'surname', one_missing: 'surname_part', close: 'surname_part' },
  birth: { exact: 'birth', close: 'birth_close', two_parts: 'birth_close' },
  address: { exact: 'address', close: 'address' },
  company: { exact: 'company' },
}

/**
 * The three of the caller's guests, at most, who are most likely the one that is being typed in, the most likely first.
 * Their contact data is masked.
 */
export async function findMatches(
  { db }: Pick<Session, 'db'>,
  { id, email, phone, ...typed }: z.output<typeof typedGuest>,
): Promise<{ data: GuestMatch[] }> {
  const person = { ...typed, email: canonicalEmail(email), phone: canonicalPhone(phone) }
  const found = foundSchema.parse(
    unwrap(await db.rpc('customer_matches', { p_person: person, ...(id ? { p_id: id } : {}) })),
  )
  return {
    data: found.map(({ probability, certain, reasons, ...guest }) => ({
      ...guest,
      chance: certain ? 'certain' : probability >= VERY_LIKELY ? 'very_likely' : 'likely',
      reasons: Object.entries(REASONS).flatMap(([field, levels]) => levels[reasons?.[field] ?? ''] ?? []),
    })),
  }
}
