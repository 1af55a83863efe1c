import 'server-only'
import { z } from 'zod'
import { brokenMark } from '@/lib/db/broken'
import { unwrap } from '@/lib/db/errors'
import { parseRows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { ClosedChannels } from './providers'
import { CHANNELS, type Channel, type Content, factsSchema, MESSAGE_KINDS, templateSchema } from './schema'

const claimedSchema = z.object({
  id: z.string(),
  lease_token: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  channel: z.enum(CHANNELS),
  recipient: z.string(),
  automation_id: z.string().nullable(),
  run_id: z.string().nullable(),
  /** The look that was approved with its run; null: the present one of its template. */
  email_look: z.record(z.string(), z.unknown()).nullish(),
  content: z.record(z.string(), z.unknown()),
  /** The content is final, because an earlier attempt was about to send it. */
  frozen: z.boolean(),
  idempotency_key: z.string().nullable(),
  /** The message is about a visit. */
  visited: z.boolean(),
  facts: factsSchema,
  broken: brokenMark,
})
/** A message this process may send while its lease lasts. */
export type Claimed = z.infer<typeof claimedSchema>

// One that cannot be read any more fails its own messages, not the batch.
const storedTemplate = templateSchema.extend({ broken: brokenMark })

const batchSchema = z.object({
  examined: z.number(),
  templates: z.array(z.unknown()).transform((rows) => parseRows(storedTemplate, rows)),
  messages: z.array(z.unknown()).transform((rows) => parseRows(claimedSchema, rows)),
  last: z.object({ not_before: z.string(), id: z.string() }).nullish(),
  wait_until: z.coerce.date().nullish(),
  ended: z.array(z.string()).nullish(),
  more: z.boolean().optional(),
  moved: z.boolean().optional(),
})
/**
 * `examined` is 0 when no message is due, or when the channel has to wait (`wait_until`). `messages` may be fewer: some
 * were just skipped or held by quiet hours. `ended` are the messages that became skipped or unknown. `last` is the place
 * in the queue where the claim ended. `more` are to be moved to another channel, as this one has no provider: claim again.
 * `moved`: some now wait to go by another channel, because this one no longer reaches their guests.
 */
export type ClaimedBatch = z.infer<typeof batchSchema>

interface ClaimOptions {
  organizationId: string
  channel: Channel
  limit: number
  leaseSeconds: number
  now: Date
  /** Only this run's messages. */
  runId?: string
  /** Only this automation's messages. */
  automationId?: string
  /** Only messages without an automation. */
  notices?: boolean
  /** Messages per second; null: no limit. */
  pace?: number | null
  /** Channels that have a provider only while their integration is enabled. */
  integrations?: readonly Channel[]
  /**
   * Channels by which nothing can go now. Messages move to their automation's other channel; where there is none,
   * they wait, and their runs pause.
   */
  closed?: ClosedChannels
  /** `last` of an earlier claim: looks only behind that place. */
  after?: ClaimedBatch['last']
}

/** Leases the next due messages of a channel; their consent, cap and quiet hours have just been checked. */
export async function claimMessages(db: Db, options: ClaimOptions): Promise<ClaimedBatch> {
  const parameters = {
    p_organization: options.organizationId,
    p_channel: options.channel,
    p_limit: options.limit,
    p_lease_seconds: options.leaseSeconds,
    p_now: options.now.toISOString(),
    p_run: options.runId,
    p_automation: options.automationId,
    p_notices: options.notices,
    p_pace: options.pace ?? undefined,
    p_integrations: options.integrations && [...options.integrations],
    p_closed: options.closed,
    p_after: options.after ?? undefined,
  }
  return batchSchema.parse(unwrap(await db.rpc('claim_messages', parameters)))
}

/** A message that is about to be sent. */
export interface Frozen {
  id: string
  lease_token: string
  content: Content
  idempotency_key: string
}

/** Freezes the content of messages. Only messages with returned ids may be sent: the others lost their lease. */
export async function freezeMessages(db: Db, messages: Frozen[], now: Date): Promise<Set<string>> {
  const contents = messages.map(({ content, ...rest }) => ({ ...rest, content: { ...content } }))
  const parameters = { p_contents: contents, p_now: now.toISOString() }
  return new Set(z.array(z.string()).parse(unwrap(await db.rpc('freeze_messages', parameters))))
}

/** The outcome of sending a message; finish_messages derives its status from it. */
export interface Result {
  id: string
  lease_token: string
  outcome: 'sent' | 'failed' | 'skipped' | 'unknown' | 'retry'
  reason?: string
  provider?: string
  provider_id?: string
  retry_seconds?: number
}

/** Records results; returns the number recorded (messages with a lost lease are not). */
export async function finishMessages(db: Db, results: Result[], now: Date): Promise<number> {
  if (results.length === 0) return 0
  const parameters = { p_results: results.map((result) => ({ ...result })), p_now: now.toISOString() }
  return unwrap(await db.rpc('finish_messages', parameters)) ?? 0
}

/** Releases the leases of processes that died while sending. */
export async function sweepLeases(db: Db, now: Date): Promise<void> {
  unwrap(await db.rpc('sweep_leases', { p_now: now.toISOString() }))
}

const CANCEL_AT_ONCE = 10_000

/** Ends runs that waited too long for approval, and cancels the queued messages of runs that are over. */
export async function cancelHeld(
  db: Db,
  organizationId: string,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const parameters = { p_organization: organizationId, p_now: now.toISOString(), p_limit: CANCEL_AT_ONCE }
  while (!signal?.aborted) if ((unwrap(await db.rpc('cancel_held', parameters)) ?? 0) < CANCEL_AT_ONCE) return
}

const CHUNK = 1000
const rowSchema = z.object({
  automation_id: z.string(),
  run_id: z.string().nullable(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
})

/** Counts of outcomes; `failed` includes unknown outcomes. */
export interface Ends {
  sent: number
  skipped: number
  failed: number
}

/** Counts per run of the automation messages that a call finished; a run may occur several times. */
export type Tally = z.infer<typeof rowSchema>[]

/** Counts the messages that a drain finishes, 1,000 at a time, so that few ids are in memory. */
export function createTally(db: Db) {
  const tally: Tally = []
  let waiting: string[] = []

  async function count(): Promise<void> {
    const ids = waiting
    waiting = []
    if (ids.length === 0) return
    tally.push(...z.array(rowSchema).parse(unwrap(await db.rpc('tally_messages', { p_ids: ids }))))
  }

  return {
    /** Adds finished messages. */
    note: async (ids: readonly string[]): Promise<void> => {
      waiting.push(...ids)
      if (waiting.length >= CHUNK) await count()
    },
    /** All counts so far. */
    total: async (): Promise<Tally> => {
      await count()
      return tally
    },
  }
}

/** The sum of a tally's rows, or of any other counts. */
export function sumOf(counts: readonly Ends[]): Ends {
  const sum = (field: keyof Ends) => counts.reduce((total, one) => total + one[field], 0)
  return { sent: sum('sent'), skipped: sum('skipped'), failed: sum('failed') }
}
