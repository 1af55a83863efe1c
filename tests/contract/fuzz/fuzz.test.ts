import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '@/lib/openapi/document'
import type { Asker } from '../row'
import { startWorld, type World } from '../world'
import type { Schema } from './arbitrary'
import { idsOf } from './known-ids'
import { type Description, type Generated, requests } from './requests'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 300)
const SEED = Number(process.env.FUZZ_SEED ?? 20261120)
const AT_ONCE = 8
const BATCH = 200
const SLOWEST_MS = 5000

const ASKERS: Asker[] = [
  'nobody',
  'super_admin',
  'admin',
  'ceo',
  'marketing',
  'operaciones',
  'rrhh',
  'pr_comunicacion',
  'bound',
  'cron',
]

let world: World
beforeAll(async () => {
  world = await startWorld({ PMS_TIMEOUT_MS: '300', AI_TIMEOUT_MS: '300' })
})
afterAll(() => world?.close())

describe(`${REQUESTS} requests generated from the OpenAPI document (seed ${SEED})`, () => {
  it.each(ASKERS)(
    'as %s: no failure that is not documented, none slower than five seconds',
    async (asker) => {
      const tally = { valid: 0, mutated: 0, hostile: 0, accepted: 0 }
      for (let sent = 0; sent < REQUESTS; sent += BATCH) {
        const queue = await generate(asker, Math.min(BATCH, REQUESTS - sent), sent)
        await Promise.all(Array.from({ length: AT_ONCE }, () => work(asker, queue, tally)))
        await renew(asker)
      }
      expect(tally.valid + tally.mutated + tally.hostile).toBe(REQUESTS)
      // Requests that are all refused would prove nothing.
      expect(tally.accepted).toBeGreaterThan(0)
      console.log(asker, JSON.stringify(tally))
    },
    3_600_000,
  )
})

/** Generated anew for each batch, for ids come and go. */
async function generate(asker: Asker, count: number, offset: number): Promise<Generated[]> {
  const document = openApiDocument(world.app.url)
  const components = document.components.schemas as Record<string, Schema>
  const ids = await idsOf(world)
  const known = { components, ids: (name: string) => ids[name] ?? [] }
  return fc.sample(requests(document as unknown as Description, known), {
    numRuns: count,
    seed: SEED + offset + ASKERS.indexOf(asker) * 1_000_000,
  })
}

async function work(asker: Asker, queue: Generated[], tally: Record<string, number>): Promise<void> {
  for (let request = queue.pop(); request; request = queue.pop()) {
    const { kind, method, path, body, headers } = request
    const sent = `${method} ${path} ${JSON.stringify({ headers, body })?.slice(0, 2000)}`
    const signal = AbortSignal.timeout(SLOWEST_MS)
    try {
      // The client refuses statuses and bodies that the document does not have.
      const response = await world.client(asker).request(method, path, { body, headers, signal })
      const text = await response.text()
      if (response.status >= 500 && !isExpected(text))
        throw new Error(`${response.status} ${text.slice(0, 500)}`)
      if (response.ok) tally.accepted = (tally.accepted ?? 0) + 1
    } catch (cause) {
      throw new Error(sent, { cause })
    }
    tally[kind] = (tally[kind] ?? 0) + 1
  }
}

/** Documented failures of what is outside, or of a run: everything but the unexpected. */
function isExpected(text: string): boolean {
  const body = JSON.parse(text) as { error?: unknown; code?: string }
  return body.code !== 'INTERNAL_ERROR' && EXPECTED.some((pattern) => pattern.test(String(body.error)))
}
const EXPECTED = [/^PMS integration is not configured$/, /^Automation not found$/, /^true$/]

/** Clears rate limits, and gives people back the session and rights that requests may have taken from them. */
async function renew(asker: Asker): Promise<void> {
  await world.stack.sql('truncate public.rate_limits')
  await world.renew(asker)
}
