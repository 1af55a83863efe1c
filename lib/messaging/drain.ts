import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@/lib/db/types'
import { surveyUrl } from '@/lib/feedback/survey-link'
import { log } from '@/lib/log'
import { guestTextSchema, renderGuestText } from './guest-text'
import { notificationSchema, renderNotification } from './notification'
import { type OptOutLine, smsOptOut } from './opt-out-line'
import {
  createGate,
  type Gate,
  type OutboundMessage,
  type Outcome,
  type Provider,
  type Providers,
} from './provider'
import { closedChannels } from './providers'
import {
  type Claimed,
  type ClaimedBatch,
  claimMessages,
  createTally,
  type Frozen,
  finishMessages,
  freezeMessages,
  type Result,
  type Tally,
} from './queue'
import { createPlaces, type QueuePlaces } from './queue-place'
import { CHANNELS, type Channel, type Content, type Template } from './schema'
import { EmptyMessage, renderMessages, TemplateError } from './template'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe'

// An e-mail with an unknown outcome is safe to resend, an SMS is not: so fewer of those are leased at once.
const BATCH: Record<Channel, number> = { email: 100, sms: 40, whatsapp: 40 }
// Large batches cost the database less for each message, but a batch of long e-mails has to fit in memory.
const MOST_EMAILS = 500
const BATCH_CHARACTERS = 4_000_000
// While one batch is being sent the next ones are claimed, so that the provider never waits for the database.
const LANES = 4
const IN_FLIGHT = 32
const LEASE_SECONDS = 180
// A channel that has to wait longer is continued by the next call.
const MAX_WAIT_MS = 60_000

export interface DrainOptions {
  db: Db
  organizationId: string
  now: () => Date
  /** Aborts when the time budget ends: no further batch is started; batches under way are finished. */
  signal: AbortSignal
  providers: Providers
  /** Only this run's messages. */
  runId?: string
  /** Only this automation's messages. */
  automationId?: string
  /** Only messages without an automation: notices about events, tickets and accounts. */
  notices?: boolean
  /** Only these channels. */
  channels?: readonly Channel[]
  /** The number of simultaneous requests to a channel's provider. */
  inFlight?: number
  /** Waits for a channel's pace; tests advance the time themselves. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Where an earlier drain of the same messages ended. */
  places?: QueuePlaces
}

/**
 * Sends the due messages of all channels in parallel, some batches of each at once, until none is due or the time is
 * over. Any number of processes may drain at once. Never holds more than LANES batches per channel in memory.
 * Due messages of a channel without a provider stay queued, and its runs pause (hold_channel).
 * @returns the outcomes of the automations' messages that this call finished
 * @throws DatabaseError when the outbox cannot be read, once the other channels are done; leased messages are then left
 * to sweep_leases.
 */
export async function drain(options: DrainOptions): Promise<Tally> {
  const channels = options.channels ?? CHANNELS
  const tally = createTally(options.db)
  const [open, closed] = [true, false].map((wanted) =>
    channels.filter((channel) => Boolean(options.providers[channel]) === wanted),
  )
  // Whether messages have moved to a channel whose drain may have ended.
  let moved = false
  const ends: PromiseSettledResult<void>[] = []
  const drainAll = async (part: readonly Channel[] = []) => {
    const each = part.map(async (channel) => {
      if (await drainChannel(options, channel, tally)) moved = true
    })
    ends.push(...(await Promise.allSettled(each)))
  }
  // Channels without a provider come first: some of their messages may be sent by another channel.
  await drainAll(closed)
  do {
    moved = false
    await drainAll(open)
  } while (moved && !options.signal.aborted)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return tally.total()
}

// A part of a plan takes about half a second.
const NEXT_PART_MS = 500

/**
 * Sends what is due while more is being planned, and once more afterwards.
 * @param planning ends when everything is planned
 * @returns as drain
 * @throws as drain; the planning's error
 */
export async function drainWhile(planning: Promise<unknown>, options: DrainOptions): Promise<Tally> {
  const tally: Tally = []
  const places = createPlaces()
  const ended = planning.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([ended, pause(NEXT_PART_MS, false, { ref: false })])))
    tally.push(...(await drain({ ...options, places })))
  await planning
  return [...tally, ...(await drain(options))]
}

type TallyCounter = ReturnType<typeof createTally>

/** Whether messages of the channel moved to another one. */
async function drainChannel(options: DrainOptions, channel: Channel, tally: TallyCounter): Promise<boolean> {
  const { db, organizationId, now, signal, providers, sleep = pauseUntilAborted } = options
  const { runId, automationId, notices, places = createPlaces() } = options
  const provider = providers[channel]
  const openGate = createGate(options.inFlight ?? IN_FLIGHT)
  let limit = BATCH[channel]
  const request = {
    ...{ organizationId, channel, runId, automationId, notices },
    ...{ leaseSeconds: LEASE_SECONDS, pace: provider?.pace },
    integrations: CHANNELS.filter((each) => providers[each]?.isIntegration),
    closed: closedChannels(options.providers),
  }
  const place = places(channel, now)
  let running = 0
  const lanes: Promise<void>[] = []
  let failure: { error: unknown } | undefined
  let moved = false

  async function lane(): Promise<void> {
    while (!signal.aborted && !failure) {
      const gate = openGate()
      const [asked, after] = [provider ? limit : 0, place.get()]
      // Without a provider no message is claimed, but due messages are still handled.
      const batch = await claimMessages(db, { ...request, limit: asked, now: now(), after })
      if (batch.last) place.set(batch.last)
      await tally.note(batch.ended ?? [])
      moved ||= batch.moved ?? false
      if (batch.more) continue
      if (!provider) return
      if (batch.examined > 0) {
        // A full batch: there may be more messages, which another lane sends meanwhile.
        if (batch.examined === asked && running < LANES) start()
        const { ended, longest } = await sendBatch(options, provider, gate, batch)
        if (channel === 'email' && longest > 0) limit = emailsOf(longest)
        await tally.note(ended)
      } else if (after && !batch.wait_until ? !place.restart() : !(await waitForPace(batch.wait_until)))
        return
    }
  }

  async function waitForPace(until: Date | null | undefined): Promise<boolean> {
    const ms = until ? until.getTime() - now().getTime() : Number.POSITIVE_INFINITY
    if (ms > MAX_WAIT_MS) return false
    await sleep(ms, signal)
    // A clock that does not advance must not make this wait for ever.
    return until ? now() >= until : false
  }

  function start(): void {
    running++
    lanes.push(
      lane()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => {
          running--
        }),
    )
  }

  start()
  // A lane may start others before it ends.
  for (const started of lanes) await started
  if (failure) throw failure.error
  return moved
}

/** How many e-mails to claim at once when the longest of the batch before had so many characters. */
const emailsOf = (longest: number) =>
  Math.max(BATCH.email, Math.min(MOST_EMAILS, Math.floor(BATCH_CHARACTERS / longest)))

async function pauseUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.max(0, ms) + 1, undefined, { signal }).catch(() => undefined)
}

/**
 * Render → freeze → send → record. Messages that cannot be rendered fail; messages with a lost lease are dropped.
 * @returns the ids of all messages except those to retry, and the characters of the longest
 */
async function sendBatch(
  { db, now, organizationId }: DrainOptions,
  provider: Provider,
  gate: Gate,
  batch: ClaimedBatch,
): Promise<{ ended: string[]; longest: number }> {
  const { ready, failed } = await renderBatch(batch, organizationId, provider)
  const frozen = freezable(ready, provider.batchSize ?? 1)
  const held = frozen.length > 0 ? await freezeMessages(db, frozen, now()) : new Set<string>()
  const sending = ready.filter(({ message }) => held.has(message.id))
  const outcomes = await sendAll(provider, outbound(sending, frozen), gate)
  const results = sending.map(({ message }, index) => toResult(message, provider.name, outcomes[index]))
  const ended = [...failed, ...results]
  await finishMessages(db, ended, now())
  gate.close()
  const lengths = ready.map(({ content: { body = '', html = '' } }) => body.length + html.length)
  return {
    ended: ended.filter(({ outcome }) => outcome !== 'retry').map(({ id }) => id),
    longest: Math.max(0, ...lengths),
  }
}

interface Ready {
  message: Claimed
  content: Content
}

async function renderBatch(
  batch: ClaimedBatch,
  organizationId: string,
  provider: Provider,
): Promise<{ ready: Ready[]; failed: Result[] }> {
  const contents = await contentsOf(batch, organizationId, provider)
  const ready: Ready[] = []
  const failed: Result[] = []
  for (const [index, message] of batch.messages.entries()) {
    const content = contents[index]
    const { id, lease_token } = message
    if (content instanceof EmptyMessage)
      failed.push({ id, lease_token, outcome: 'skipped', reason: 'empty_message' })
    else if (content instanceof TemplateError)
      failed.push({ id, lease_token, outcome: 'failed', reason: content.code })
    else if (content) ready.push({ message, content })
  }
  return { ready, failed }
}

/** The content of each message of a batch, or the reason why it cannot be rendered. */
async function contentsOf(
  { messages, templates }: ClaimedBatch,
  organizationId: string,
  provider: Provider,
): Promise<(Content | TemplateError)[]> {
  const sources = new Map(templates.map((template) => [template.id, template]))
  const contents = new Map<Claimed, Content | TemplateError>()
  const automated: { message: Claimed; template: Template; url: string | null }[] = []
  for (const message of messages) {
    const { id, automation_id, content, frozen, channel, recipient: address } = message
    const template = automation_id === null ? undefined : sources.get(automation_id)
    // Frozen content is sent unchanged.
    if (message.broken || template?.broken)
      contents.set(message, new TemplateError({ message: 'cannot be read' }))
    else if (frozen) contents.set(message, content)
    else if (!template) contents.set(message, 'template' in content ? noticeOf(content) : content)
    else {
      const approved = message.email_look ? { ...template, email_look: message.email_look } : template
      automated.push({
        message,
        template: approved,
        url: unsubscribeUrl({ organizationId, channel, address }, id),
      })
    }
  }
  const rendered = await renderMessages(
    'outbox',
    automated.map(({ message: { id, channel, kind, facts, visited }, template, url }) => {
      const feedbackUrl = (visited && surveyUrl(id)) || undefined
      const isMarketing = kind === 'marketing'
      const optOut: OptOutLine = (language) => smsOptOut(provider, { id, url }, language)
      return { template, channel, facts, unsubscribeUrl: url ?? undefined, feedbackUrl, isMarketing, optOut }
    }),
  )
  for (const [index, { message, url }] of automated.entries()) {
    const content = rendered[index] ?? new TemplateError({ message: 'not rendered' })
    contents.set(message, content instanceof TemplateError ? content : completed(message, content, url))
  }
  return messages.map((message) => contents.get(message) ?? new TemplateError({ message: 'no content' }))
}

function completed({ kind, channel, facts }: Claimed, content: Content, url: string | null): Content {
  const { reservation_date: date, reservation_time: time, party_size } = facts
  if (kind === 'transactional' && date !== null) return { ...content, about: { date, time, party_size } }
  const needsHeaders = url !== null && kind === 'marketing' && channel === 'email'
  return needsHeaders ? { ...content, headers: unsubscribeHeaders(url) } : content
}

/** Notices of calendar and tickets, and texts to guests, are queued as data and worded only here. */
function noticeOf(content: Record<string, unknown>): Content | TemplateError {
  const text = guestTextSchema.safeParse(content)
  if (text.success) {
    const body = renderGuestText(text.data)
    return body === null
      ? new TemplateError({ message: 'a value is missing' })
      : { body, expires_at: text.data.expires_at }
  }
  const parsed = notificationSchema.safeParse(content)
  if (!parsed.success) return new TemplateError({ message: 'not a notification' })
  const { subject, text: body } = renderNotification(parsed.data)
  const notice = { subject, body }
  if ('event_datetime' in parsed.data) return { ...notice, expires_at: parsed.data.event_datetime }
  return 'expires_at' in parsed.data ? { ...notice, expires_at: parsed.data.expires_at } : notice
}

/**
 * Messages sent for the first time get an idempotency key, shared by up to `size` messages of one run: one request
 * sends them.
 */
function freezable(ready: Ready[], size: number): Frozen[] {
  const places = new Map<string | null, number>()
  const keys = new Map<string, string>()
  return ready.map(({ message, content }) => {
    const { id, lease_token, run_id, idempotency_key } = message
    const place = places.get(run_id) ?? 0
    if (idempotency_key === null) places.set(run_id, place + 1)
    const request = `${run_id} ${Math.floor(place / size)}`
    const key = idempotency_key ?? keys.get(request) ?? `message-${lease_token}`
    if (idempotency_key === null) keys.set(request, key)
    return { id, lease_token, content, idempotency_key: key }
  })
}

function outbound(sending: Ready[], frozen: Frozen[]): OutboundMessage[] {
  const keys = new Map(frozen.map(({ id, idempotency_key }) => [id, idempotency_key]))
  return sending.map(({ message: { id, channel, recipient }, content }) => {
    return { id, channel, recipient, content, idempotencyKey: keys.get(id) ?? `message-${id}` }
  })
}

async function sendAll(provider: Provider, batch: OutboundMessage[], gate: Gate): Promise<Outcome[]> {
  if (batch.length === 0) return []
  try {
    return await provider.send(batch, gate)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log().error({ provider: provider.name, reason }, 'the provider failed unexpectedly')
    return batch.map(() => ({ kind: 'ambiguous', reason: 'provider_error' }))
  }
}

function toResult({ id, lease_token }: Claimed, provider: string, outcome: Outcome | undefined): Result {
  const result = { id, lease_token, provider }
  switch (outcome?.kind) {
    case 'accepted':
      return { ...result, outcome: 'sent', provider_id: outcome.providerId }
    case 'permanent':
      return { ...result, outcome: 'failed', reason: outcome.reason }
    case 'retryable':
      return { ...result, outcome: 'retry', reason: outcome.reason, retry_seconds: outcome.afterSeconds }
    case 'ambiguous':
      return { ...result, outcome: 'unknown', reason: outcome.reason }
    default:
      return { ...result, outcome: 'unknown', reason: 'provider_silent' }
  }
}
