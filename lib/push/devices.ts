import 'server-only'
import { ECDH } from 'node:crypto'
import { z } from 'zod'
import { safeUrl } from '@/lib/address/address'
import { RefusedAddress } from '@/lib/address/refusals'
import { deviceOf } from '@/lib/auth/device'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError, invalidInput, notFoundError, refuse } from '@/lib/http/errors'
import { checkReachable } from '@/lib/outgoing/lookup'
import { type PushDeviceInput, type PushOutcome, type PushState, pushDeviceSchema } from './schema'
import { sendOnePush } from './send'
import { vapid } from './vapid'

/** The caller's devices that get push notices, the one of this session first; at most 20. */
export async function myPush({ db }: Pick<Session, 'db'>): Promise<PushState> {
  const devices = z.array(pushDeviceSchema).parse(unwrap(await db.rpc('my_push_devices')))
  return { public_key: vapid()?.publicKey ?? null, devices }
}

/**
 * Subscribes the device of the caller's session to notices of these kinds.
 * @throws HttpError 400 for an address inside the network or an invalid key, 403, 409 for another person's address,
 * 501 without VAPID keys.
 */
export async function savePushDevice(
  request: Request,
  session: Pick<Session, 'db'>,
  { endpoint, keys, kinds, language }: PushDeviceInput,
): Promise<PushState> {
  if (!vapid()) throw new HttpError('PUSH_NOT_SET_UP')
  await refuseAddress(endpoint)
  refuseKey(keys.p256dh)
  const { browser, system } = deviceOf(request)
  const saved = await session.db.rpc('save_push_device', {
    p_endpoint: endpoint,
    p_p256dh: keys.p256dh,
    p_auth: keys.auth,
    p_kinds: kinds,
    p_language: language,
    p_browser: browser ?? undefined,
    p_system: system ?? undefined,
  })
  refuse(unwrap(saved), { taken: 'PUSH_DEVICE_TAKEN' })
  return myPush(session)
}

async function refuseAddress(endpoint: string): Promise<void> {
  try {
    // ALLOW_LOOPBACK_UPSTREAMS is for what administrators configure; any person names a push service.
    const { username, password } = safeUrl(endpoint, false)
    if (username || password) throw new RefusedAddress('scheme')
    await checkReachable(endpoint, false)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw invalidInput({ path: 'endpoint', code: error.reason, message: error.message })
  }
}

/** Whether 65 bytes are a point on the curve; most are not. */
function refuseKey(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
  } catch {
    throw invalidInput({ path: 'keys.p256dh', code: 'invalid', message: 'is not a P-256 key' })
  }
}

/** Unsubscribes one of the caller's devices. @throws HttpError 404. */
export async function removePushDevice({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('remove_push_device', { p_id: id }))) throw notFoundError()
}

/**
 * Sends one of the caller's devices a test notice immediately.
 * @throws HttpError 404, 501 without VAPID keys.
 */
export async function tryPushDevice(
  { db }: Pick<Session, 'db'>,
  id: string,
): Promise<{ outcome: PushOutcome }> {
  if (!vapid()) throw new HttpError('PUSH_NOT_SET_UP')
  const notice = unwrap(await db.rpc('queue_test_push', { p_id: id }))
  if (!notice) throw notFoundError()
  return { outcome: await sendOnePush(serviceDb(), notice) }
}
