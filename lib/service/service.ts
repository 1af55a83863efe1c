import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { readablePhone } from '@/lib/contact/readable-phone'
import { suggestFacts } from '@/lib/customers/facts'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import { noShowRisks } from '@/lib/reservations/no-show-risk'
import type { NoShowRisk } from '@/lib/reservations/risk-schema'
import { storedWaitingSchema, withReadablePhone } from '@/lib/waitlist/waitlist'
import { partySchema, type Service, serviceSchema, type Tap, type TapAnswer, tapAnswerSchema } from './schema'

const storedSchema = serviceSchema.extend({
  parties: z.array(partySchema.omit({ suggested: true, risk: true, readable_phone: true })),
  waiting: z.array(storedWaitingSchema),
})

/**
 * A service day of a location the caller works in.
 * @param day the service day; the default is the location's current one
 * @throws HttpError 404.
 */
export async function readService(
  { db }: Pick<Session, 'db'>,
  { locationId, day, now = new Date() }: { locationId: string; day?: string; now?: Date },
): Promise<Service> {
  const parameters = { p_location: locationId, p_day: day, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('service_list', parameters))
  if (found === null) throw notFoundError()
  const service = storedSchema.parse(found)
  return forPeople(service, await noShowRisks({ db }, expectedIn([service]), now))
}

/** A day's services of the locations the caller works in (those that are active, or one), by name. */
export async function readServices(
  { db }: Pick<Session, 'db'>,
  { locationId, day }: { locationId?: string; day: string },
): Promise<Service[]> {
  const found = unwrap(await db.rpc('services', { p_day: day, p_location: locationId }))
  const services = z.array(storedSchema).parse(found)
  const risks = await noShowRisks({ db }, expectedIn(services))
  return services.map((service) => forPeople(service, risks))
}

type Stored = z.infer<typeof storedSchema>

/** The reservations that may still end as a no-show. */
const expectedIn = (services: readonly Stored[]) =>
  services.flatMap(({ parties }) =>
    parties
      .filter(
        ({ status, arrived_at, walk_in }) =>
          (status === 'pending' || status === 'confirmed') && !arrived_at && !walk_in,
      )
      .map(({ id }) => id),
  )

/** Adds to a stored service the facts that notes suggest, readable phone numbers and the no-show risks. */
const forPeople = (service: Stored, risks: ReadonlyMap<string, NoShowRisk>): Service => ({
  ...service,
  parties: service.parties.map((party) => ({ ...withReadings(party), risk: risks.get(party.id) ?? null })),
  waiting: service.waiting.map(withReadablePhone),
})

/** Adds the facts that notes suggest and that are not recorded, and the phone as people read it. */
function withReadings(party: Stored['parties'][number]) {
  const recorded = new Set(party.facts.map(({ code }) => code))
  const suggested = suggestFacts(party.notes, party.customer_notes, party.tags.join('. '))
  return {
    ...party,
    suggested: suggested.filter((code) => !recorded.has(code)),
    readable_phone: party.phone && readablePhone(party.phone),
  }
}

/**
 * Applies the taps in a location's service, in order. A repeated tap counts once.
 * @throws HttpError 404 for a location the caller does not work in.
 */
export async function takeTaps(
  { db }: Pick<Session, 'db'>,
  locationId: string,
  taps: readonly Tap[],
): Promise<TapAnswer[]> {
  const parameters = { p_location: locationId, p_taps: taps as unknown as Json }
  const answers = unwrap(await db.rpc('take_taps', parameters))
  if (answers === null) throw notFoundError()
  return z.array(tapAnswerSchema).parse(answers)
}
