import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import { connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

// What the assistant costs is paid by the organization: no one, and no number of people at once, gets past its ceilings.
const CHAT = '/api/ai/chat'
const REFUSED = { status: 429, body: { error: 'Rate limit exceeded' } }

stayInOneDay()
let app: TestApp
let provider: OpenAiFake
let group: Group
let people: Person[]
let clients: Client[]

beforeAll(async () => {
  provider = await startOpenAi()
  app = await startApp({ LOG_LEVEL: 'silent' })
  group = await createGroup(app.stack, 'Grupo Tope', [{ name: 'Norte', slug: 'norte' }])
  people = []
  clients = []
  for (const role of ['admin', 'ceo', 'marketing', 'operaciones', 'rrhh'] as const) {
    const person = await group.person(role)
    people.push(person)
    clients.push(await signedIn(person))
  }
  await connectAi(app.stack, group, { base_url: provider.url })
})
beforeEach(() => ceilings({}))
afterEach(async () => {
  provider.reset()
  await app.stack.sql(emptyTables('ai_usage', 'rate_limits'))
})
afterAll(async () => {
  await provider?.close()
  await app?.close()
})

const ceilings = (some: Record<string, number>) =>
  stackClient(app.stack, 'service')
    .from('organizations')
    .update({
      ai_daily_calls: 1000,
      ai_daily_calls_per_person: 1000,
      ai_daily_tokens: 10_000_000,
      ai_daily_tokens_per_person: 10_000_000,
      ...some,
    })
    .eq('id', group.id)
    .throwOnError()
const chat = (as: Client | undefined, headers = {}) =>
  (as ?? app.client()).request('POST', CHAT, { body: { message: 'Hola' }, headers })
const used = () =>
  app.stack.sql<{ calls: number; tokens: number }>(
    'select coalesce(sum(calls), 0)::int as calls, coalesce(sum(tokens), 0)::int as tokens from public.ai_usage',
  )
const service = () => stackClient(app.stack, 'service')
const reserve = async (p_now: string, { person = 0, calls = 1, tokens = 0 } = {}) => {
  const { data } = await service()
    .rpc('reserve_ai', {
      p_organization: group.id,
      p_person: String(people[person]?.id),
      p_calls: calls,
      p_tokens: tokens,
      p_now,
    })
    .throwOnError()
  return data as { day: string; wait: number }
}

describe('the organization’s ceiling', () => {
  it('lets 10 of 50 questions at once through', async () => {
    await ceilings({ ai_daily_calls: 10 })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => chat(clients[n % 5])))
    const statuses = answers.map(({ status }) => status)
    expect([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 429).length]).toEqual([
      10, 40,
    ])
    expect(provider.received).toHaveLength(10)
    expect(await used()).toEqual([{ calls: 10, tokens: 1200 }])
  })

  it('of 0 closes the assistant, in either form of the answer, with the contract’s error and the time to midnight', async () => {
    await ceilings({ ai_daily_calls: 0 })
    for (const headers of [{}, { accept: 'text/event-stream' }]) {
      const response = await chat(clients[0], headers)
      const wait = Number(response.headers.get('retry-after'))
      expect(await answer(response)).toEqual(REFUSED)
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(25 * 3600)
    }
    expect([provider.received, await used()]).toEqual([[], [{ calls: 0, tokens: 0 }]])
  })

  it('of tokens is not passed by parallel calls either: each reserves what it may take', async () => {
    await ceilings({ ai_daily_tokens: 10_000 })
    // An answer gives back what it did not take: none comes before the others are refused.
    provider.setFault({ kind: 'slow' })
    let refused = 0
    const asked = Array.from({ length: 20 }, async (_, n) => {
      const { status } = await chat(clients[n % 5])
      if (status === 429) refused++
    })
    await expect.poll(() => refused + provider.received.length, { timeout: 20_000 }).toBe(20)
    provider.proceed()
    await Promise.all(asked)
    const [now] = await used()
    expect(provider.received.length).toBeGreaterThan(0)
    expect(provider.received.length).toBeLessThan(20)
    // 1000 tokens an answer is the integration's own bound; the prompt comes on top.
    expect(provider.received.length).toBeLessThanOrEqual(10)
    expect(now?.tokens).toBe(provider.received.length * 120)
  })

  it('holds for the calls within one question: a model that only looks things up ends', async () => {
    provider.say({ calls: [{ id: 'a', name: 'search_customers', arguments: '{}' }] })
    await ceilings({ ai_daily_tokens: 9000 })
    await chat(clients[0])
    const [now] = await used()
    expect(provider.received.length).toBeLessThanOrEqual(6)
    expect(now?.tokens).toBeLessThanOrEqual(9000)
  })
})

describe('the person’s ceiling', () => {
  it('lets 3 of 9 questions at once through, and leaves the others theirs', async () => {
    await ceilings({ ai_daily_calls_per_person: 3 })
    const answers = await Promise.all(Array.from({ length: 9 }, () => chat(clients[0])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await chat(clients[1])).status).toBe(200)
  })

  it('counts tokens too', async () => {
    await ceilings({ ai_daily_tokens_per_person: 10 })
    expect(await answer(await chat(clients[0]))).toEqual(REFUSED)
    expect(provider.received).toEqual([])
  })
})

describe('what is settled', () => {
  it('is nothing when the provider refuses, and the reservation when no one knows what a call took', async () => {
    provider.setFault({ kind: 'unauthorized', message: 'No.' })
    await chat(clients[0])
    expect(await used()).toEqual([{ calls: 1, tokens: 0 }])
    provider.setFault({ kind: 'garbage', body: '{"choices":[]}' })
    await chat(clients[0])
    const [now] = await used()
    expect(now?.calls).toBe(2)
    expect(now?.tokens).toBeGreaterThan(1000)
  })
})

describe('the day', () => {
  it('is the organization’s own: it ends at midnight in Madrid, also when the clocks change', async () => {
    await ceilings({ ai_daily_calls: 1 })
    expect(await reserve('2026-10-24T21:59:59Z')).toEqual({ day: '2026-10-24', wait: 0 })
    expect(await reserve('2026-10-24T21:59:59Z')).toEqual({ day: '2026-10-24', wait: 1 })
    expect(await reserve('2026-10-24T22:00:00Z')).toEqual({ day: '2026-10-25', wait: 0 })
    expect(await reserve('2026-10-24T22:00:00Z', { person: 1 })).toEqual({
      day: '2026-10-25',
      wait: 25 * 3600,
    })
  })

  it('keeps what people used who have left', async () => {
    await ceilings({ ai_daily_calls: 1 })
    const leaver = await group.person('rrhh')
    people.push(leaver)
    const person = people.length - 1
    const noon = '2026-11-20T11:00:00Z'
    expect((await reserve(noon, { person })).wait).toBe(0)
    await service().from('profiles').delete().eq('id', leaver.id).throwOnError()
    expect((await reserve(noon)).wait).toBeGreaterThan(0)
  })
})

describe('by the database API', () => {
  it('no one reserves, settles or changes', async () => {
    await reserve('2026-11-20T11:00:00Z')
    for (const { db, id } of people.slice(0, 5)) {
      const settled = await db.rpc('settle_ai', {
        p_organization: group.id,
        p_person: id,
        p_day: '2026-11-20',
        p_reserved: 1000,
        p_used: 0,
      })
      const deleted = await db.from('ai_usage').delete().eq('organization_id', group.id)
      expect([settled.error?.code, deleted.error?.code]).toEqual(['42501', '42501'])
    }
    expect((await used())[0]?.calls).toBe(1)
  })
})
