import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'

// The segment of a launched campaign is the campaign's: who may not write to guests does not redirect it.
let g: Guests
let marketer: Client
let host: Client
let boundMarketer: Client
const PATH = '/api/segments'
const VIP = { field: 'tags', is: 'any', tags: ['vip'] }
const PRESS = { field: 'tags', is: 'any', tags: ['prensa'] }

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  marketer = await g.hire('marketing')
  host = await g.hire('operaciones')
  boundMarketer = await g.hire('marketing', 'Sur')
})
afterAll(() => g?.app.close())
beforeEach(() => g.sql(emptyTables('campaigns', 'segments')))

const make = async (client: Client, name: string) => {
  const made = await g.ask(client, 'POST', PATH, { name, definition: VIP, shared: true })
  expect(made.status).toBe(201)
  return made.body.data as { id: string }
}
const campaign = async (segment: string, status: string) => {
  const [made] = await g.sql<{ id: string }>(
    `insert into public.campaigns (organization_id, name, segment_id, status) values ($1, 'Otoño', $2, $3) returning id`,
    [g.group.id, segment, status],
  )
  return made?.id
}

it.each(['waiting_approval', 'scheduled', 'sending', 'paused'])(
  'of a campaign that is %s are not redirected or deleted by someone who may not write to its guests',
  async (status) => {
    const { id } = await make(host, 'Vips')
    const own = await make(boundMarketer, 'De Sur')
    const [one, other] = await Promise.all([id, own.id].map((segment) => campaign(segment, status)))
    for (const [client, segment] of [
      [host, id],
      [boundMarketer, own.id],
    ] as const) {
      const change = (body: object) => g.ask(client, 'PATCH', `${PATH}/${segment}`, body)
      expect(await change({ definition: PRESS })).toEqual(refusal('FORBIDDEN'))
      expect(await change({ shared: false })).toEqual(refusal('FORBIDDEN'))
      expect((await change({ name: `Mío ${segment}` })).status).toBe(200)
      // Deleted, it would stop the campaign for good.
      expect(await g.ask(client, 'DELETE', `${PATH}/${segment}`)).toEqual(refusal('FORBIDDEN'))
    }
    expect((await g.ask(marketer, 'PATCH', `${PATH}/${id}`, { definition: PRESS })).status).toBe(200)
    // Once its guests are planned, or it is over, the segment does not matter to it.
    await g.sql('update public.campaigns set rest_planned_at = now() where id = $1', [one])
    await g.sql(`update public.campaigns set status = 'finished' where id = $1`, [other])
    for (const [client, segment] of [
      [host, id],
      [boundMarketer, own.id],
    ] as const) {
      expect((await g.ask(client, 'PATCH', `${PATH}/${segment}`, { definition: VIP })).status).toBe(200)
      expect((await g.ask(client, 'DELETE', `${PATH}/${segment}`)).status).toBe(204)
    }
  },
)
