import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { log } from '@/lib/log'
import type { Operation } from '@/lib/openapi/operation'
import { withoutSecrets } from '@/lib/openapi/shown-once'
import { invalidInput, refuse } from './errors'

/** The request header. */
const KEY_HEADER = 'Idempotency-Key'
/** The header of an answer that was given before. */
const REPLAYED_HEADER = 'Idempotency-Replayed'
const MAX_KEY_LENGTH = 255
// After this a request without an answer counts as dead. Longer than any handler that creates: it answers a person.
const LEASE_SECONDS = 180

/** A request that is not to be done twice: its caller (by id), path, key, and the hash of its body. */
export interface KeyedRequest {
  caller: string
  path: string
  key: string
  hash: string
}

/**
 * The Idempotency-Key of a request, or null without one. It is printable ASCII, with or without the quotes of a
 * structured header.
 * @throws HttpError 400 unless it has 1–255 characters.
 */
export function keyOf(headers: Headers): string | null {
  const sent = headers.get(KEY_HEADER)
  if (sent === null) return null
  const key = sent.replace(/^"(.*)"$/, '$1')
  const problem = { path: KEY_HEADER, message: `has to be 1–${MAX_KEY_LENGTH} printable ASCII characters` }
  if (key === '') throw invalidInput({ ...problem, code: 'too_short', params: { minimum: 1 } })
  if (key.length > MAX_KEY_LENGTH)
    throw invalidInput({ ...problem, code: 'too_long', params: { maximum: MAX_KEY_LENGTH } })
  if (!/^[\x20-\x7e]+$/.test(key)) throw invalidInput({ ...problem, code: 'invalid' })
  return key
}

/** SHA-256 of a body as it was sent, as JSON with sorted keys: spaces and the order of fields do not matter. */
export function hashOfBody(body: unknown): string {
  const sorted = JSON.stringify(body, (_, value: unknown) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))),
  )
  return createHash('sha256')
    .update(sorted ?? '')
    .digest('hex')
}

const begunSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['first', 'in_progress', 'mismatch', 'not_kept', 'forbidden']) }),
  z.object({ outcome: z.literal('replay'), status: z.int(), answer: z.string() }),
])

/**
 * Does a request once: whoever sends it again within 24 hours gets the first answer, if that was a success, with
 * one-time secrets as null. The caller must still have the rights of then.
 * @throws HttpError 409 while the first is under way, or when its answer is no longer kept; 422 with another body; 403.
 */
export async function answerOnce(
  request: KeyedRequest,
  responses: Operation['responses'],
  handle: () => Promise<Response>,
): Promise<Response> {
  const holder = randomUUID()
  const { caller, path, key, hash } = request
  const named = { p_caller: caller, p_path: path, p_key: key, p_holder: holder }
  const begun = begunSchema.parse(
    unwrap(
      await serviceDb().rpc('begin_keyed_request', {
        ...named,
        p_body_hash: hash,
        p_seconds: LEASE_SECONDS,
      }),
    ),
  )
  if (begun.outcome === 'replay') {
    const headers = { 'Content-Type': 'application/json', [REPLAYED_HEADER]: 'true' }
    return new Response(begun.answer, { status: begun.status, headers })
  }
  refuse(begun.outcome, {
    in_progress: 'IN_PROGRESS',
    mismatch: 'IDEMPOTENCY_MISMATCH',
    not_kept: 'ANSWER_NOT_KEPT',
  })
  let kept: { status: number; answer: string } | null = null
  try {
    const response = await handle()
    if (response.ok) kept = await keptOf(response.clone(), responses)
    return response
  } finally {
    await end(named, kept)
  }
}

type Named = Record<'p_caller' | 'p_path' | 'p_key' | 'p_holder', string>
/** The generated types of functions have no null. */
type Kept = { p_status: number; p_answer: string }

/** Keeps the answer, or frees the key. When it fails, the key is free after the lease. */
async function end(named: Named, kept: { status: number; answer: string } | null): Promise<void> {
  const answer = { p_status: kept?.status ?? null, p_answer: kept?.answer ?? null } as Kept
  try {
    unwrap(await serviceDb().rpc('end_keyed_request', { ...named, ...answer }))
  } catch (err) {
    log().error({ err }, 'the answer to a request with an Idempotency-Key is not kept')
  }
}

async function keptOf(response: Response, responses: Operation['responses']) {
  const { status } = response
  const text = await response.text()
  const schema = responses[status]?.schema
  const answer = schema ? JSON.stringify(withoutSecrets(schema, JSON.parse(text))) : text
  return { status, answer }
}
