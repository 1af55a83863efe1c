import 'server-only'
import { Agent, fetch as undiciFetch } from 'undici'
import { safeUrl } from '@/lib/address/address'
import { refusalBehind } from '@/lib/address/refusals'
import { env } from '@/lib/env'
import { guardedLookup } from './lookup'

const CONNECT_TIMEOUT_MS = 10_000

/** An answer larger than the caller's limit. */
export class AnswerTooLarge extends Error {
  constructor() {
    super('The answer is too large')
    this.name = 'AnswerTooLarge'
  }
}

/** By whether loopback is allowed. */
const agents = new Map<boolean, Agent>()

/**
 * A fetch for configured addresses: it connects only to checked addresses, follows no redirect (one
 * would carry secrets to a host that is not configured), and its body ends with AnswerTooLarge after `maxBytes`,
 * counted as unpacked. It is undici's, not the global one, which Next replaces. The caller's signal is its time limit.
 * @param loopback whether loopback is allowed, whatever ALLOW_LOOPBACK_UPSTREAMS says: false for addresses that no
 * administrator configured.
 * @throws RefusedAddress, TypeError when the host cannot be reached.
 */
export function outgoingFetch(maxBytes: number, loopback?: boolean): typeof fetch {
  return async (input, init) => {
    const allowed = loopback ?? env().ALLOW_LOOPBACK_UPSTREAMS
    const url = safeUrl(input instanceof Request ? input.url : String(input), allowed)
    const agent = agentFor(allowed)
    try {
      const options = { ...init, redirect: 'error', dispatcher: agent } as Parameters<typeof undiciFetch>[1]
      const { body, status, statusText, headers } = await undiciFetch(url, options)
      const stream = body as ReadableStream<Uint8Array> | null
      const limited = stream?.pipeThrough(byteLimit(maxBytes))
      return new Response(limited ?? null, { status, statusText, headers: [...headers] })
    } catch (error) {
      throw refusalBehind(error) ?? error
    }
  }
}

function agentFor(loopback: boolean): Agent {
  const known = agents.get(loopback)
  if (known) return known
  const agent = new Agent({ connect: { lookup: guardedLookup(loopback), timeout: CONNECT_TIMEOUT_MS } })
  agents.set(loopback, agent)
  return agent
}

function byteLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes) controller.error(new AnswerTooLarge())
      else controller.enqueue(chunk)
    },
  })
}
