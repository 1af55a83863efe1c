import { z } from 'zod'
import { FACT_CODES } from '@/lib/customers/fact-codes'

/** What a part of the lines comes from. */
const SOURCE_KINDS = ['visit', 'booking', 'customer', 'tier', 'fact', 'note', 'feedback', 'ticket'] as const

const sourceSchema = z
  .object({
    kind: z.enum(SOURCE_KINDS).meta({
      description:
        '`visit` and `booking` are reservations; `customer`, `tier`, `fact` and `note` are on the guest’s card',
    }),
    id: z.string().meta({ description: 'Of the reservation, the customer, the feedback or the ticket' }),
    location_id: z.string().nullable().meta({ description: 'Of a reservation' }),
    date: z.string().nullable().meta({ description: 'The service day of a reservation' }),
  })
  .meta({ id: 'LineSource', description: 'Where a part of the lines comes from' })
/** Where a part of the lines comes from; location and service day only of a reservation. */
export type LineSource = z.infer<typeof sourceSchema>

const source = sourceSchema
const fact = {
  code: z.enum(FACT_CODES),
  note: z.string().nullable(),
  suggested: z.boolean().meta({ description: 'Only notes or tags seem to say it; nobody has confirmed it' }),
  source: source.nullable().meta({ description: 'Null without canUseGuestCards' }),
}

const todoSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complaint'), score: z.int(), date: z.string(), source }),
  z.object({ kind: z.literal('ticket'), number: z.int(), subject: z.string(), source }),
  z.object({ kind: z.literal('birthday'), days: z.int(), source }),
  z.object({ kind: z.literal('vip'), tier: z.string(), source }),
  z.object({ kind: z.literal('first_visit'), source }),
  z.object({ kind: z.literal('preference'), ...fact }),
  z.object({ kind: z.literal('no_shows'), count: z.int(), source }),
  z.object({ kind: z.literal('note'), text: z.string(), source }),
  z.object({ kind: z.literal('guest_note'), text: z.string(), source }),
])

export const partyLinesSchema = z
  .object({
    today: z.string().meta({ description: 'The service day under way at the location' }),
    who: z.object({
      withheld: z.boolean().meta({
        description: 'There is a guest, but without canUseGuestCards only their recorded allergies are here',
      }),
      visits: z.int().nullable().meta({
        description:
          'Of the guest before the party, in the whole group; null without a guest, or without the right',
      }),
      here: z.int().nullable().meta({ description: 'Those of them at this location' }),
      first_visit: z.boolean().meta({ description: 'No visit before the party' }),
      last: z
        .object({ date: z.string(), location: z.string(), source })
        .nullable()
        .meta({ description: 'The last visit before the party, in the caller’s locations' }),
      usual: z
        .object({
          party_size: z.int().nullable(),
          time: z.string().nullable(),
          table_name: z.string().nullable().meta({ description: 'At this location' }),
          source,
        })
        .nullable()
        .meta({ description: 'What was so at least twice, and most often, in the caller’s locations' }),
      tier: z.object({ name: z.string(), source }).nullable(),
      source: source.nullable(),
    }),
    avoid: z
      .array(z.object({ kind: z.enum(['allergy', 'diet']), ...fact }))
      .meta({ description: 'Allergies first' }),
    todo: z.array(todoSchema).meta({
      description:
        '`complaint` (one or two stars for the last visit) and `ticket` (open, about the last visit or this one, or since the last) with canAccessClientes only; `birthday` within three days; `no_shows` of two years, while the party is expected',
    }),
  })
  .meta({
    id: 'PartyLines',
    description: 'A party before it sits down: who comes, what to avoid, what to do',
  })
/** Three lines about a party: codes and values; the client writes the sentences. */
export type PartyLines = z.infer<typeof partyLinesSchema>
export type Todo = PartyLines['todo'][number]
