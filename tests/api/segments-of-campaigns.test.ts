import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { createAutomation, DECLARED } from '../factories/messaging'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'

// The segment of a launched campaign is the campaign's: who may not write to guests does not redirect it.
let g: Guests
let marketer: Client
let colleague: Client
let host: Client
let boundMarketer: Client
const PATH = '/api/segments'
const VIP = { field: 'tags', is: 'any', tags: ['vip'] }
const MESSAGES = [{ step: 1, variant: 'a', channel: 'email', subject: 'Hola', body: 'Hola' }]
const PRESS = { field: 'tags', is: 'any', tags: ['prensa'] }

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  marketer = await g.hire('marketing')
  colleague = await g.hire('marketing')
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

describe('what uses a segment', () => {
  const NOTHING = { total: 0, campaigns: [], automations: [] }
  const usedBy = async (client: Client, id: string) =>
    (await g.ask(client, 'GET', `${PATH}/${id}`)).body.data.used_by

  it('is named: the campaigns that take guests from it or will, and the automations', async () => {
    const { id } = await make(host, 'Vips')
    expect(await usedBy(marketer, id)).toEqual(NOTHING)
    const draft = await campaign(id, 'draft')
    await campaign(id, 'finished')
    const automation = await createAutomation(g.app.stack, g.group.id, {
      ...{ type: 'birthday', name: 'Felicidades', criteria: { segment_id: id } },
    })
    const uses = {
      total: 2,
      campaigns: [{ id: draft, name: 'Otoño' }],
      automations: [{ id: automation, name: 'Felicidades' }],
    }
    expect(await usedBy(marketer, id)).toEqual(uses)
    expect((await g.ask(marketer, 'GET', PATH)).body.data[0].used_by).toEqual(uses)
    // Who has no marketing, or does not work where these write, learns how many.
    const hidden = { total: 2, campaigns: [], automations: [] }
    for (const client of [host, boundMarketer]) expect(await usedBy(client, id)).toEqual(hidden)
    const gone = await g.ask(marketer, 'DELETE', `${PATH}/${id}`)
    expect(gone).toMatchObject({ status: 409, body: { code: 'SEGMENT_IN_USE', in_use: uses } })
    expect((await g.ask(host, 'DELETE', `${PATH}/${id}`)).body.in_use).toEqual(hidden)
    await g.sql('update public.automations set deleted_at = now() where id = $1', [automation])
    expect((await g.ask(marketer, 'DELETE', `${PATH}/${id}`)).body.in_use).toEqual({
      ...uses,
      ...{ total: 1, automations: [] },
    })
    await g.sql('delete from public.campaigns where id = $1', [draft])
    expect((await g.ask(marketer, 'DELETE', `${PATH}/${id}`)).status).toBe(204)
  })

  it('is another’s campaign: then it stays shared', async () => {
    const { id } = await make(marketer, 'Vips')
    const own = { name: 'Mía', segment_id: id, location_ids: [], messages: MESSAGES }
    expect((await g.ask(marketer, 'POST', '/api/campaigns', own)).status).toBe(201)
    const change = (shared: boolean) => g.ask(marketer, 'PATCH', `${PATH}/${id}`, { shared })
    expect((await change(false)).status).toBe(200)
    expect((await change(true)).status).toBe(200)
    expect((await g.ask(colleague, 'POST', '/api/campaigns', { ...own, name: 'Suya' })).status).toBe(201)
    expect(await change(false)).toEqual(refusal('SEGMENT_IN_USE'))
  })
})

describe('a private segment', () => {
  const secret = async () => {
    const made = await g.ask(marketer, 'POST', PATH, { name: 'Secreto', definition: VIP })
    return made.body.data.id as string
  }
  const draftOf = (segment_id: string) => ({
    ...{ name: 'Otoño', segment_id, location_ids: [], control_share: 0, messages: MESSAGES },
  })
  const segmentAt = async (client: Client, campaign: string) =>
    (await g.ask(client, 'GET', `/api/campaigns/${campaign}`)).body.data.segment_name

  it('serves its owner’s campaign, shows itself to who may approve it, and to no other', async () => {
    await g.sql(
      `insert into public.customers (organization_id, first_name, email, tags, consents)
       select $1::uuid, n, lower(n) || '@correo.example', '{vip}', $2::jsonb from unnest(array['Ana', 'Eva']) as n`,
      [g.group.id, JSON.stringify(DECLARED)],
    )
    await g.sql('update public.organizations set campaign_approve_above = 1 where id = $1', [g.group.id])
    const id = await secret()
    const made = await g.ask(marketer, 'POST', '/api/campaigns', draftOf(id))
    expect([made.status, made.body.data.segment_name]).toEqual([201, 'Secreto'])
    const path = `/api/campaigns/${made.body.data.id}`
    const preview = (client: Client) =>
      g.ask(client, 'POST', '/api/campaigns/preview', {
        ...{ id: made.body.data.id, ...draftOf(id), name: undefined },
      })
    expect((await preview(marketer)).body.data).toMatchObject({ matched: 2, to_send: 2 })
    // As long as it is a draft it is the owner's alone.
    expect(await segmentAt(colleague, made.body.data.id)).toBeNull()
    expect(await g.ask(colleague, 'GET', `${PATH}/${id}`)).toEqual(refusal('NOT_FOUND'))
    expect((await preview(colleague)).status).toBe(400)
    const launch = (client: Client) =>
      g.ask(client, 'POST', `${path}/launch`, { guests: 2, version: made.body.data.version })
    expect((await launch(colleague)).body).toMatchObject({
      code: 'INVALID_INPUT',
      issues: [{ path: 'segment_id', code: 'unknown' }],
    })
    const launched = await launch(marketer)
    expect(launched.body.data).toMatchObject({ status: 'waiting_approval', guests: 2 })
    // Now it is the approver's to see: its conditions, its guests, and what the campaign would do.
    const seen = await g.ask(colleague, 'GET', `${PATH}/${id}`)
    expect(seen.body.data).toMatchObject({ name: 'Secreto', shared: false, mine: false, can_change: false })
    expect(seen.body.data.definition).toEqual(VIP)
    expect((await g.ask(colleague, 'GET', PATH)).body.data).toMatchObject([{ id }])
    expect(await segmentAt(colleague, made.body.data.id)).toBe('Secreto')
    expect((await preview(colleague)).body.data).toMatchObject({ matched: 2 })
    expect(await g.ask(colleague, 'PATCH', `${PATH}/${id}`, { name: 'Mío' })).toEqual(refusal('FORBIDDEN'))
    expect(await g.ask(colleague, 'DELETE', `${PATH}/${id}`)).toEqual(refusal('FORBIDDEN'))
    const taken = await g.ask(colleague, 'POST', '/api/campaigns', { ...draftOf(id), name: 'Suya' })
    const own = { guests: 2, version: taken.body.data.version }
    const theirs = await g.ask(colleague, 'POST', `/api/campaigns/${taken.body.data.id}/launch`, own)
    expect(theirs.body.issues).toMatchObject([{ path: 'segment_id', code: 'unknown' }])
    for (const other of [host, boundMarketer])
      expect(await g.ask(other, 'GET', `${PATH}/${id}`)).toEqual(refusal('NOT_FOUND'))
    // Approved, it goes to its guests, and is private again.
    const decision = { guests: 2, version: launched.body.data.version }
    expect((await g.ask(colleague, 'POST', `${path}/approve`, decision)).status).toBe(200)
    expect(await g.ask(colleague, 'GET', `${PATH}/${id}`)).toEqual(refusal('NOT_FOUND'))
    await waitForDetachedWork()
    expect((await g.ask(marketer, 'GET', path)).body.data).toMatchObject({ reason: null })
    const written = await g.sql('select id from public.messages where automation_id = $1', [
      made.body.data.id,
    ])
    expect(written).toHaveLength(2)
  })

  it('serves nobody else’s campaign, and no automation', async () => {
    const id = await secret()
    expect((await g.ask(colleague, 'POST', '/api/campaigns', draftOf(id))).body.issues).toMatchObject([
      { path: 'segment_id', code: 'unknown' },
    ])
    const automation = { name: 'A', type: 'birthday', channel: 'email', subject: 'Hola', body: 'Hola' }
    const refused = await g.ask(marketer, 'POST', '/api/automations', {
      ...automation,
      criteria: { segment_id: id },
    })
    expect(refused.body.issues).toMatchObject([{ path: 'criteria.segment_id', code: 'unknown' }])
    // A copy of the campaign leaves it behind.
    const made = await g.ask(marketer, 'POST', '/api/campaigns', draftOf(id))
    const copy = await g.ask(colleague, 'POST', `/api/campaigns/${made.body.data.id}/copy`)
    expect(copy.body.data).toMatchObject({ segment_id: null })
  })
})
