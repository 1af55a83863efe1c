import { createHash } from 'node:crypto'
import type { Exchange, Observer } from './tap'

interface Lease {
  token: string
  at: number
  until: number
}

/** Keeps an eye on leases and idempotency keys. */
export interface Watch extends Observer {
  /** What was wrong since the last time. */
  report: () => { claimedTwice: string[]; twoBodies: string[] }
}

/** Knows who holds what only from what went over the wire. */
export function createWatch(): Watch {
  const tokens = new Set<string>()
  const leases = new Map<string, Lease>()
  const bodies = new Map<string, Set<string>>()
  let claimedTwice: string[] = []

  function noteClaim(body: string, text: string): void {
    const { p_now, p_lease_seconds } = JSON.parse(body) as { p_now: string; p_lease_seconds: number }
    const { messages } = JSON.parse(text) as { messages: { id: string; lease_token: string }[] }
    const at = Date.parse(p_now)
    for (const { id, lease_token: token } of messages) {
      const held = leases.get(id)
      if (tokens.has(token)) claimedTwice.push(`${id}: the lease ${token} was given twice`)
      // An answer that arrives after a later claim's is ignored.
      else if (held && at >= held.at && at < held.until)
        claimedTwice.push(`${id}: claimed while a lease lasts`)
      tokens.add(token)
      leases.set(id, { token, at, until: at + p_lease_seconds * 1000 })
    }
  }

  function noteFinish(body: string): void {
    const { p_results } = JSON.parse(body) as { p_results: { id: string; lease_token: string }[] }
    for (const { id, lease_token } of p_results) if (leases.get(id)?.token === lease_token) leases.delete(id)
  }

  function noteKey({ headers, body }: Exchange): void {
    const key = String(headers['idempotency-key'])
    const known = bodies.get(key) ?? new Set()
    bodies.set(key, known.add(createHash('sha256').update(body).digest('hex')))
  }

  return {
    arrived: (exchange) => {
      if (exchange.service === 'resend') noteKey(exchange)
      if (exchange.call === 'finish_messages') noteFinish(exchange.body)
      return 'pass'
    },
    answered: ({ call, body }, status, text) => {
      if (call === 'claim_messages' && status === 200) noteClaim(body, text)
    },
    report: () => {
      const twoBodies = [...bodies].filter(([, known]) => known.size > 1).map(([key]) => key)
      const result = { claimedTwice, twoBodies }
      claimedTwice = []
      for (const memory of [tokens, leases, bodies]) memory.clear()
      return result
    },
  }
}
