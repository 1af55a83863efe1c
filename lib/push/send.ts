import 'server-only'
import { createHash } from 'node:crypto'
import webPush from 'web-push'
import { z } from 'zod'
import { refusalBehind } from '@/lib/address/refusals'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { runAfter } from '@/lib/http/after'
import type { JobContext } from '@/lib/jobs/job'
import { log } from '@/lib/log'
import { outgoingFetch } from '@/lib/outgoing/fetch'
import type { PushOutcome } from './schema'
import { type ClaimedNotice, claimedSchema, payloadOf } from './text'
import { vapid } from './vapid'

const BATCH = 50
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024
/** Notices of this kind wake the phone; the others wait until it is awake. */
const URGENT: readonly ClaimedNotice['kind'][] = ['vip_arrived', 'test']

interface Result {
  id: string
  outcome: PushOutcome
  /** The push service's Retry-After. */
  seconds?: number
}

/**
 * Sends the due push notices in batches. When a push service does not answer, they are retried until they expire; a
 * repeated notice replaces the first on the device (Topic, tag). Any number of processes may send.
 * @param now replaces the database's clock
 * @returns the outcomes; without VAPID keys no notice is sent.
 */
export async function sendPushNotices(
  { db, signal }: Pick<JobContext, 'db' | 'signal'>,
  now?: Date,
): Promise<Record<PushOutcome, number>> {
  const total: Record<PushOutcome, number> = { sent: 0, gone: 0, refused: 0, retry: 0 }
  let claimed = vapid() ? BATCH : 0
  while (claimed === BATCH && !signal.aborted) {
    const results = await sendBatch(db, { p_limit: BATCH, p_now: now?.toISOString() })
    for (const { outcome } of results) total[outcome]++
    claimed = results.length
  }
  return total
}

/** Sends one notice now. @returns its outcome; `gone` when the device was removed meanwhile. */
export async function sendOnePush(db: Db, id: string): Promise<PushOutcome> {
  const [result] = await sendBatch(db, { p_limit: 1, p_only: id })
  return result?.outcome ?? 'gone'
}

/** Sends newly written notices after the answer is sent; the scheduled job retries failed ones. */
export function sendPushSoon(): void {
  if (!vapid()) return
  const signal = AbortSignal.timeout(2 * TIMEOUT_MS)
  runAfter('push notices', () => sendPushNotices({ db: serviceDb(), signal }))
}

async function sendBatch(
  db: Db,
  which: { p_limit: number; p_now?: string; p_only?: string },
): Promise<Result[]> {
  const notices = z.array(claimedSchema).parse(unwrap(await db.rpc('claim_push_notices', which)))
  if (notices.length === 0) return []
  const results = await Promise.all(notices.map(send))
  const p_results = results.map((result) => ({ ...result }))
  unwrap(await db.rpc('finish_push_notices', { p_results, p_now: which.p_now }))
  return results
}

async function send(notice: ClaimedNotice): Promise<Result> {
  const { id, endpoint, p256dh, auth } = notice
  try {
    const request = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payloadOf(notice)),
      {
        vapidDetails: vapid() ?? undefined,
        contentEncoding: 'aes128gcm',
        TTL: notice.seconds,
        urgency: URGENT.includes(notice.kind) ? 'high' : 'normal',
        topic: createHash('sha256').update(notice.tag).digest('base64url').slice(0, 32),
      },
    )
    const { 'Content-Length': _, ...headers } = request.headers as Record<string, string>
    const answer = await outgoingFetch(MAX_ANSWER_BYTES, false)(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(request.body ?? []),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return { id, ...verdict(answer) }
  } catch (err) {
    const refused = refusalBehind(err)
    // Not the address: with the address and the keys one can write to the device.
    log().warn({ notice: id, reason: refused?.reason ?? (err as Error).name }, 'a push notice was not sent')
    return { id, outcome: refused ? 'refused' : 'retry' }
  }
}

function verdict({ ok, status, headers }: Response): Omit<Result, 'id'> {
  if (ok) return { outcome: 'sent' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  if (status === 429 || status >= 500) {
    const seconds = Number(headers.get('retry-after'))
    return { outcome: 'retry', ...(seconds > 0 ? { seconds: Math.min(Math.ceil(seconds), 86_400) } : {}) }
  }
  log().error({ status }, 'a push service refused a notice')
  return { outcome: 'refused' }
}
