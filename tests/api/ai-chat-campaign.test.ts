import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import { connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let provider: OpenAiFake
let group: Group
let clients: Record<'marketing' | 'bound' | 'host', Client>

beforeAll(async () => {
  provider = await startOpenAi()
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Borrador', [
    { name: 'Triana', slug: 'triana' },
    { name: 'Sol', slug: 'sol' },
  ])
  clients = {
    marketing: await signedIn(await group.person('marketing')),
    bound: await signedIn(await group.person('marketing', [place('Sol')])),
    host: await signedIn(await group.person('operaciones')),
  }
  await app.stack.sql('update public.organizations set limit_marketing_to_roles = true where id = $1', [
    group.id,
  ])
  await connectAi(app.stack, group, { base_url: provider.url })
  await app.stack.sql(
    `insert into public.customers (organization_id, first_name, phone, location_id, tags, loyalty_tier_id, total_visits,
       last_visit_at, last_visit_on)
     select $1, 'Guest' || n, '+3460000' || (1000 + n), case n % 2 when 0 then $2::uuid else $3::uuid end, array['vino'],
       (select id from public.loyalty_tiers where organization_id = $1 and name = 'Oro'), 4,
       now() - interval '200 days', current_date - 200
     from generate_series(1, 20) n`,
    [group.id, place('Triana'), place('Sol')],
  )
})
beforeEach(async () => {
  provider.reset()
  await app.stack.sql(emptyTables('rate_limits'))
  await app.stack.sql('delete from public.campaigns')
  await app.stack.sql('delete from public.segments')
})
afterAll(async () => {
  await provider?.close()
  await app?.close()
})

const place = (name: string) => group.locations.find((one) => one.name === name)?.id ?? ''
const WINE = {
  ...{ name: 'Vinos de otoño', tiers: ['oro'], locations: ['Triana'], away_days: 90, tags: ['Vino'] },
  ...{ channel: 'sms', body: 'Hola {{ first_name }}: hay vinos nuevos.', starts: '2030-12-03T11:00' },
}
const call = (args: object, id = 'c1') => ({ id, name: 'draft_campaign', arguments: JSON.stringify(args) })
const sent = () => JSON.parse(provider.received.at(-1)?.body ?? 'null')
const told = (content: string) => {
  const [, json] = /^<datos>\n([^<>`&]*)\n<\/datos>$/.exec(content) ?? []
  return json === undefined ? content : JSON.parse(json)
}

/** Lets the model make these calls at once: what it got for each, and the person's answer. */
async function drafted(who: keyof typeof clients, ...calls: object[]) {
  provider.say(
    { calls: calls.map((args, index) => call(args, `c${index}`)) },
    { content: 'Listo: Vinos de otoño.' },
  )
  const reply = await answer(
    await clients[who].request('POST', '/api/ai/chat', { body: { message: 'Escríbeles' } }),
  )
  expect(reply.status).toBe(200)
  const results = sent().messages.slice(-calls.length)
  return { results: results.map(({ content }: { content: string }) => told(content)), reply: reply.body }
}
const campaigns = () =>
  app.stack.sql<{ name: string; status: string; starts: string; locations: string[] }>(
    `select name, status, starts_local::text as starts, location_ids::text[] as locations from public.campaigns`,
  )

it('prepares a draft with its segment, and says to how many it would go', async () => {
  const { results, reply } = await drafted('marketing', WINE)
  const page = expect.stringMatching(/^\/campaigns\/[\w-]+\/edit$/)
  expect(results).toEqual([
    {
      rows: [
        {
          ...{ campaign: 'Vinos de otoño', status: 'draft, not sent', page, in_segment: 10 },
          ...{ would_get_it: expect.any(Number), left_out: expect.any(Object) },
          needs_approval_of_a_colleague: false,
        },
      ],
    },
  ])
  expect(await campaigns()).toEqual([
    { name: 'Vinos de otoño', status: 'draft', starts: '2030-12-03 11:00:00', locations: [] },
  ])
  expect(await app.stack.sql('select 1 from public.messages')).toEqual([])
  expect(reply.sources).toEqual([{ type: 'campaign', id: expect.any(String), label: 'Vinos de otoño' }])
  const id = reply.sources[0].id
  const opened = await answer(await clients.marketing.request('GET', `/api/campaigns/${id}`))
  expect(opened.body.data).toMatchObject({
    ...{ status: 'draft', segment_name: expect.stringContaining('Vinos de otoño') },
    messages: [{ channel: 'sms', body: WINE.body }],
  })
})

it('prepares one a reply, whatever the model asks', async () => {
  const { results } = await drafted('marketing', WINE, { ...WINE, name: 'Otra' })
  expect(results[1]).toMatch(/^Error: done before/)
  expect(await campaigns()).toHaveLength(1)
})

it('is offered to marketing alone, and writes to the locations of who asks', async () => {
  await drafted('host', WINE)
  expect(sent().messages.at(-1).content).toBe('Error: there is no such tool')
  const { results } = await drafted('bound', { ...WINE, locations: [] })
  expect(results[0].rows[0]).toMatchObject({ in_segment: 10 })
  expect(await campaigns()).toMatchObject([{ locations: [place('Sol')] }])
})

it.each([
  [
    'nobody to write to',
    { tiers: [], locations: [], tags: [], away_days: undefined },
    /at least one condition/,
  ],
  ['a tier that is not there', { tiers: ['Diamante'] }, /The tiers are: .*Oro/],
  ['a tag that is not there', { tags: ['cerveza'] }, /The tags are: \["vino"\]/],
  ['a template that does not end', { body: 'Hola {% if first_name %}' }, /^Error: messages\.0\.body/],
  ['a day that is none', { starts: '2030-02-30T11:00' }, /^Error: /],
])('%s is told to the model, and nothing stays behind', async (_, change, text) => {
  const { results } = await drafted('marketing', { ...WINE, ...change })
  expect(results).toEqual([expect.stringMatching(text)])
  expect(await campaigns()).toEqual([])
  expect(await app.stack.sql('select name from public.segments')).toEqual([])
})
