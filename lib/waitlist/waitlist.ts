import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { readablePhone } from '@/lib/contact/readable-phone'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError, notFoundError, refuse } from '@/lib/http/errors'
import { storedInstant } from '@/lib/http/instant'
import { clockFrom } from '@/lib/jobs/run-job'
import { CHANNELS, type Channel } from '@/lib/messaging/channels'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'
import { asked } from '@/lib/reservations/save-reservation'
import {
  type NewWaiting,
  type WaitingAction,
  type WaitingAnswer,
  type WaitingParty,
  waitingSchema,
} from './schema'

const COLUMNS = 'id, name, phone, party_size, quoted_minutes, notes, joined_at, called_at'
/** A party as stored. */
export const storedWaitingSchema = waitingSchema.omit({ readable_phone: true })

/** Adds the readable phone to a party. */
export const withReadablePhone = (party: z.infer<typeof storedWaitingSchema>): WaitingParty => ({
  ...party,
  readable_phone: party.phone && readablePhone(party.phone),
})

const SEND_MS = 15_000
const CONFLICT = { conflict: 'CHANGED_MEANWHILE' } as const
const CALL_REFUSALS = {
  ...CONFLICT,
  called_just_now: 'CALLED_JUST_NOW',
  too_many_calls: 'TOO_MANY_CALLS',
} as const

/**
 * The waiting parties of a location the caller works in, in order of arrival.
 * @throws HttpError 404.
 */
export async function listWaiting({ db }: Pick<Session, 'db'>, locationId: string): Promise<WaitingParty[]> {
  const waiting = unwrap(await db.rpc('list_waiting', { p_location: locationId }))
  if (waiting === null) throw notFoundError()
  return z.array(storedWaitingSchema).parse(waiting).map(withReadablePhone)
}

/**
 * Adds a party to the waitlist of a location.
 * @throws HttpError 404 for a location the caller does not work in, 409 when 200 wait.
 */
export async function joinWaitlist(
  { db }: Pick<Session, 'db'>,
  { location_id, ...entry }: NewWaiting,
  now = new Date(),
): Promise<WaitingParty> {
  const parameters = { p_location: location_id, p_entry: entry, p_now: now.toISOString() }
  const id = unwrap(await db.rpc('join_waitlist', parameters))
  if (id === null) {
    const place = await db.from('locations').select('id').eq('id', location_id).maybeSingle()
    throw unwrap(place) ? new HttpError('WAITLIST_FULL') : notFoundError()
  }
  const made = await db.from('waitlist').select(COLUMNS).eq('id', id).single()
  return withReadablePhone(storedWaitingSchema.parse({ ...unwrap(made), message: null, offer: null }))
}

const outcomeSchema = z.looseObject({
  outcome: z.string(),
  channel: z.enum(CHANNELS).nullish(),
  reservation_id: z.string().nullish(),
  /** The database's time of a call: it may be ahead of the app's. */
  at: storedInstant.optional(),
})

/**
 * Calls, seats or removes a waiting party; `return` puts a party that left back on the list. The calling message is
 * sent at once; if the provider does not accept it in 15 seconds, the next run of the jobs sends it.
 * @throws HttpError 404, 409 when it was already called or no longer waits, or for a question about the table that
 * `confirm` does not answer, 429 for too many calls.
 */
export async function changeWaiting(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
  change: WaitingAction,
  now = new Date(),
): Promise<WaitingAnswer> {
  const p_now = now.toISOString()
  if (change.action === 'call') return callWaiting(session, id, now)
  const ended = {
    seat: {
      p_id: id,
      p_outcome: 'seated',
      p_table: change.action === 'seat' ? change.table_name : undefined,
      p_confirm: change.action === 'seat' ? change.confirm : undefined,
    },
    leave: { p_id: id, p_outcome: 'left' },
    return: { p_id: id, p_outcome: null as unknown as string },
  }[change.action]
  const done = outcomeSchema.parse(unwrap(await session.db.rpc('end_waiting', { ...ended, p_now })))
  const question = asked(done)
  if (question) throw question
  refuse(done.outcome, CONFLICT)
  return { id, reservation_id: done.reservation_id ?? null, channel: null }
}

async function callWaiting(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
  now: Date,
): Promise<WaitingAnswer> {
  const service = serviceDb()
  const providers = await providersFor(service, organization.id)
  const p_channels = CHANNELS.filter((channel) => providers[channel])
  const parameters = { p_id: id, p_channels, p_now: now.toISOString() }
  const called = outcomeSchema.parse(unwrap(await db.rpc('call_waiting', parameters)))
  refuse(called.outcome, CALL_REFUSALS)
  if (called.channel) await send(called.channel, new Date(called.at ?? now))
  return { id, reservation_id: null, channel: called.channel ?? null }

  async function send(channel: Channel, at: Date) {
    const signal = AbortSignal.timeout(SEND_MS)
    const sending = { db: service, organizationId: organization.id, now: clockFrom(at), signal, providers }
    await drain({ ...sending, notices: true, channels: [channel] })
  }
}
