import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type ReservationQuery, reservationPage } from './answer'
import type { Fault } from './faults'
import type { LedgerWriter } from './ledger'
import { send, sendJson, sendRefusal } from './respond'
import type { World } from './world'

export interface AnswerContext {
  world: World
  ledger: LedgerWriter
  fault: Fault | null
  latencyMs: number
  pageSize: number
  /** Aborts when the simulator closes. */
  closing: AbortSignal
}

/** Answers an accepted request: well, or with its fault. Rows enter the ledger once the answer is written. */
export async function answerReservations(
  res: ServerResponse,
  query: ReservationQuery,
  context: AnswerContext,
): Promise<void> {
  const { world, ledger, fault, closing } = context
  const entry = ledger.begin({ ...query, fault: fault?.kind ?? null })
  const delay = context.latencyMs + (fault?.kind === 'latency' ? fault.ms : 0)
  if (delay > 0) await pause(res, delay, closing)
  if (res.destroyed || closing.aborted) return
  switch (fault?.kind) {
    case 'hang':
      return
    case 'reset':
      res.socket?.resetAndDestroy()
      return
    case 'rate_limit':
      return send(res, 429, '{"resp":0,"error":"Too many requests"}', { 'Retry-After': fault.retryAfter })
    case 'error':
      return sendJson(res, fault.status ?? 500, { resp: 0, error: 'Internal error' })
    case 'invalid_json':
      return send(res, 200, '{"resp":1,"reservs":[{"id":"1","date":')
    case 'html':
      return send(res, 200, '<!doctype html><title>Mantenimiento</title><h1>Volvemos enseguida</h1>', {
        'Content-Type': 'text/html; charset=utf-8',
      })
    case 'refused':
      return sendRefusal(res, 'Restaurant not available')
    case 'answer':
      return send(res, 200, fault.body)
  }
  const page = reservationPage(world, query, fault, context.pageSize)
  res.once('finish', () => ledger.deliver(entry, page.truths))
  sendJson(res, 200, { resp: 1, reservs: page.rows })
}

// Ends early when the client goes away or the simulator closes.
async function pause(res: ServerResponse, ms: number, closing: AbortSignal): Promise<void> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  res.once('close', leave)
  try {
    await wait(ms, undefined, { signal: AbortSignal.any([gone.signal, closing]) })
  } catch {
    // The caller looks at the response and the signal itself.
  } finally {
    res.off('close', leave)
  }
}
