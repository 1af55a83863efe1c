import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { FACT_CODES, type FactCode, kindOf } from '@/lib/customers/fact-codes'
import { suggestFacts } from '@/lib/customers/facts'
import { factSchema } from '@/lib/customers/facts-schema'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import type { LineSource, PartyLines, Todo } from './party-lines-schema'

const reservation = { id: z.string(), location_id: z.string(), date: z.string() }
const foundSchema = z.object({
  ...{ id: z.string(), location_id: z.string(), day: z.string(), today: z.string() },
  notes: z.string().nullable(),
  withheld: z.boolean(),
  guest: z
    .object({
      id: z.string(),
      visits: z.int(),
      here: z.int(),
      tier: z.string().nullable(),
      vip: z.boolean(),
      notes: z.string().nullable(),
      tags: z.array(z.string()),
      birthday_in: z.int().nullable(),
      last: z.object({ ...reservation, location: z.string() }).nullable(),
      usual: z.object({
        party_size: z.int().nullable(),
        time: z.string().nullable(),
        table_name: z.string().nullable(),
      }),
      no_shows: z.object({ ...reservation, count: z.int() }).nullable(),
    })
    .nullable(),
  facts: z.array(factSchema),
  feedback: z.object({ id: z.string(), score: z.int(), date: z.string() }).nullable(),
  tickets: z.array(z.object({ id: z.string(), number: z.int(), subject: z.string() })),
})
type Found = z.infer<typeof foundSchema>

/** Something that the guest's facts, or else a text about them, say. */
interface Fact {
  code: FactCode
  note: string | null
  suggested: boolean
  source: LineSource | null
}

/**
 * Three lines about a party of a location the caller works in.
 * @throws HttpError 404.
 */
export async function partyLines(
  { db }: Pick<Session, 'db'>,
  id: string,
  now = new Date(),
): Promise<PartyLines> {
  const parameters = { p_reservation: id, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('party_lines', parameters))
  if (found === null) throw notFoundError()
  return linesOf(foundSchema.parse(found))
}

const from = (kind: LineSource['kind'], id: string): LineSource => ({
  ...{ kind, id, location_id: null, date: null },
})
const fromReservation = (kind: 'visit' | 'booking', { id, location_id, date }: Omit<LineSource, 'kind'>) => ({
  ...{ kind, id, location_id, date },
})

function linesOf(found: Found): PartyLines {
  const { guest, today } = found
  const facts = factsOf(found)
  return {
    today,
    who: whoOf(found),
    avoid: facts.flatMap((fact) => {
      const kind = kindOf(fact.code)
      return kind === 'preference' ? [] : [{ kind, ...fact }]
    }),
    todo: [
      ...complaintsOf(found),
      ...(guest ? duesOf(guest) : []),
      ...facts
        .filter(({ code }) => kindOf(code) === 'preference')
        .map((fact) => ({ kind: 'preference', ...fact }) as const),
      ...remindersOf(found),
    ],
  }
}

function whoOf({ guest, withheld }: Found): PartyLines['who'] {
  if (!guest)
    return {
      ...{ withheld, visits: null, here: null, first_visit: false },
      ...{ last: null, usual: null, tier: null, source: null },
    }
  const { id, visits, here, last, usual, tier } = guest
  const hasHabit = Object.values(usual).some((value) => value !== null)
  return {
    ...{ withheld, visits, here, first_visit: visits === 0 },
    last: last && { date: last.date, location: last.location, source: fromReservation('visit', last) },
    usual: hasHabit ? { ...usual, source: from('customer', id) } : null,
    tier: tier === null ? null : { name: tier, source: from('tier', id) },
    source: from('customer', id),
  }
}

/** What is recorded, and what the booking's note, else the guest's note and tags suggest beyond it; allergies first. */
function factsOf({ id, location_id, day, notes, guest, facts }: Found): Fact[] {
  const recorded = facts.map(({ code, note }) => {
    return { code, note, suggested: false, source: guest && from('fact', guest.id) }
  })
  const booking = fromReservation('booking', { id, location_id, date: day })
  const suggested = [
    ...suggestFacts(notes).map((code) => ({ code, source: booking as LineSource })),
    ...(guest
      ? suggestFacts(guest.notes, guest.tags.join('. ')).map((code) => ({
          ...{ code, source: from('note', guest.id) },
        }))
      : []),
  ].map((each) => ({ ...each, note: null, suggested: true }))
  const all: Fact[] = [...recorded, ...suggested]
  return FACT_CODES.flatMap((code) => all.find((fact) => fact.code === code) ?? [])
}

const complaintsOf = ({ feedback, tickets }: Found): Todo[] => [
  ...(feedback
    ? [{ kind: 'complaint', ...omitId(feedback), source: from('feedback', feedback.id) } as const]
    : []),
  ...tickets.map(
    ({ id, number, subject }) => ({ kind: 'ticket', number, subject, source: from('ticket', id) }) as const,
  ),
]

const omitId = ({ score, date }: NonNullable<Found['feedback']>) => ({ score, date })

/** What is due to a guest: a birthday, a tier, a first visit. */
function duesOf({ id, visits, tier, vip, birthday_in: days }: NonNullable<Found['guest']>): Todo[] {
  const source = from('customer', id)
  return [
    ...(days === null ? [] : [{ kind: 'birthday', days, source } as const]),
    ...(vip && tier !== null ? [{ kind: 'vip', tier, source: from('tier', id) } as const] : []),
    ...(visits === 0 ? [{ kind: 'first_visit', source } as const] : []),
  ]
}

function remindersOf({ id, location_id, day, notes, guest }: Found): Todo[] {
  const missed = guest?.no_shows
  const booking = { id, location_id, date: day }
  return [
    ...(missed
      ? [
          {
            ...({ kind: 'no_shows', count: missed.count } as const),
            source: fromReservation('booking', missed),
          },
        ]
      : []),
    ...(notes === null
      ? []
      : [{ kind: 'note', text: notes, source: fromReservation('booking', booking) } as const]),
    ...(guest?.notes
      ? [{ kind: 'guest_note', text: guest.notes, source: from('note', guest.id) } as const]
      : []),
  ]
}
