import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import type { Person } from '../factories/group'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import {
  app,
  bySms,
  group,
  guest,
  guests,
  runAt,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// Campaigns by the API, as the people who make, approve and stop them.
withDelivery()

let ana: Person
let as: Record<'ana' | 'boss' | 'bound', Client>
let segment: string
beforeAll(async () => {
  ana = await group.person('marketing')
  as = {
    ana: await signedIn(ana),
    boss: await signedIn(await group.person('ceo')),
    bound: await signedIn(await group.person('marketing', [String(group.locations[0]?.id)])),
  }
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments'))
  await sql(
    'update public.organizations set campaign_approve_above = 3, control_share = 0, sending_stopped_at = null',
  )
  const made = await as.ana.request('POST', '/api/segments', {
    body: { name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } },
  })
  segment = ((await made.json()) as { data: { id: string } }).data.id
})

type Name = keyof typeof as
const call = async (who: Name, method: string, path: string, body?: unknown) =>
  answer(await as[who].request(method, `/api/campaigns${path}`, { body }))
interface Campaign {
  id: string
  version: number
  status: string
  [field: string]: unknown
}
const text = { step: 1, channel: 'sms', body: 'Hola {{ first_name }}' }
const make = async (more: object = {}, who: Name = 'ana') => {
  const made = await call(who, 'POST', '', { name: 'Otoño', segment_id: segment, messages: [text], ...more })
  expect(made.status).toBe(201)
  return made.body.data as Campaign
}
const act = (who: Name, id: string, action: string, body?: object) =>
  call(who, 'POST', `/${id}/${action}`, body ?? {})
const launch = (who: Name, id: string, guests: number, version = 1) =>
  act(who, id, 'launch', { guests, version })
const approve = (who: Name, id: string, guests: number, version = 1) =>
  act(who, id, 'approve', { guests, version })
const read = async (id: string) => (await call('ana', 'GET', `/${id}`)).body.data as Campaign
const past = '2190-06-01T12:00'

describe('a draft', () => {
  it('is made, read, changed as it was read, copied, and deleted', async () => {
    const made = await make({
      ab: { test_share: 20, winner_by: 'visits', test_hours: 24 },
      messages: [text, { ...text, variant: 'b', body: 'Otra' }, { ...text, step: 2, after_days: 7 }],
    })
    expect(made).toMatchObject({
      status: 'draft',
      version: 1,
      mine: false,
      guests: null,
      segment_name: 'Todos',
      created_by_name: ana.email,
    })
    expect(made.messages).toMatchObject([
      { id: made.id, step: 1, variant: 'a', after_days: null },
      { step: 1, variant: 'b', body: 'Otra' },
      { step: 2, variant: 'a', after_days: 7 },
    ])
    const changed = await call('ana', 'PATCH', `/${made.id}`, {
      version: 1,
      name: 'Invierno',
      ab: null,
      messages: [text],
    })
    expect(changed.body.data).toMatchObject({
      name: 'Invierno',
      version: 2,
      ab: null,
      messages: [{ id: made.id }],
    })
    expect(await call('boss', 'PATCH', `/${made.id}`, { version: 1, name: 'Verano' })).toEqual(
      refusal('CHANGED_MEANWHILE'),
    )
    const copy = (await act('boss', made.id, 'copy')).body.data
    expect(copy).toMatchObject({ name: 'Invierno', status: 'draft', version: 1 })
    const list = await call('boss', 'GET', '?status=draft&limit=1')
    expect(list.body).toMatchObject({ data: [{ id: copy.id }], next_cursor: expect.any(String) })
    const rest = await call('boss', 'GET', `?status=draft&limit=1&cursor=${list.body.next_cursor}`)
    expect(rest.body).toMatchObject({ data: [{ id: made.id }], next_cursor: null })
    expect((await as.ana.request('DELETE', `/api/campaigns/${made.id}`)).status).toBe(204)
    expect((await call('ana', 'GET', `/${made.id}`)).status).toBe(404)
  })

  it('is checked: templates, steps, versions, segment, locations', async () => {
    const post = (more: object) =>
      call('ana', 'POST', '', { name: 'x', segment_id: segment, messages: [text], ...more })
    expect(await post({ messages: [{ ...text, body: '{{ first_name' }] })).toEqual(invalid('messages.0.body'))
    expect(await post({ messages: [{ ...text, fallback_channel: 'sms' }] })).toEqual(
      invalid('messages.0.fallback_channel', 'same_channel'),
    )
    expect(await post({ messages: [text, { ...text, step: 2 }] })).toEqual(invalid('messages.1.after_days'))
    expect(await post({ messages: [text, { ...text, step: 3, after_days: 1 }] })).toEqual(invalid('messages'))
    expect(await post({ messages: [text, { ...text, variant: 'b' }] })).toEqual(invalid('messages'))
    expect(await post({ segment_id: group.id })).toEqual(invalid('segment_id', 'unknown'))
    expect(await post({ location_ids: [group.id] })).toEqual(invalid('location_ids', 'unknown'))
    expect(await post({ starts_local: '2026-02-30T10:00' })).toEqual(invalid('starts_local'))
    expect(await call('bound', 'POST', '', { name: 'x', messages: [text] })).toEqual(
      invalid('location_ids', 'name_yours'),
    )
    const empty = await make({ messages: [{ ...text, body: '' }] })
    expect(await launch('ana', empty.id, 0)).toEqual(invalid('messages.0.body', 'required'))
    const aimless = await make({ segment_id: null })
    expect(await launch('ana', aimless.id, 0)).toEqual(invalid('segment_id', 'required'))
    const late = await make({ starts_local: '2020-01-01T10:00' })
    expect(await launch('ana', late.id, 0)).toEqual(refusal('CHECK_FAILED'))
  })

  it('is no automation: neither listed, read, run nor changed as one', async () => {
    const { id } = await make()
    const own = await bySms()
    const path = `/api/automations/${id}`
    expect((await answer(await as.ana.request('GET', '/api/automations'))).body.data).toMatchObject([
      { id: own },
    ])
    for (const [method, end] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/preview'],
      ['GET', '/runs'],
    ] as const)
      expect(
        (await as.ana.request(method, path + end, method === 'PATCH' ? { body: { name: 'x' } } : {})).status,
      ).toBe(404)
    expect((await as.ana.request('POST', `${path}/run`)).status).toBe(500)
    await sql(`update public.automations set status = 'active'`)
    expect((await runAt()).details).toMatchObject([{ automationId: own }])
    expect((await read(id)).status).toBe('draft')
  })
})

describe('preview', () => {
  it('counts, and shows the messages as any guest would get them, or why one would not', async () => {
    await guests(3)
    const dora = await guest({
      first_name: 'Dora',
      phone: '+34611111111',
      location_id: group.locations[1]?.id,
    })
    const eva = await guest({ first_name: 'Eva', phone: null })
    const body = {
      segment_id: segment,
      messages: [text, { ...text, step: 2, after_days: 3, body: 'Otra vez, {{ first_name }}' }],
    }
    const { data } = (await call('ana', 'POST', '/preview', { ...body, customer_id: dora })).body
    expect(data).toMatchObject({
      ...{ matched: 5, to_send: 4, control: 0, needs_approval: true, approve_above: 3 },
      ...{
        skipped: { no_address: 1, recently_written: 0 },
        variants: { a: 4, b: 0, rest: 0 },
        starts_at: null,
      },
      guest: {
        ...{ customer_id: dora, customer_name: 'Dora', reason: null, group: 'a' },
        messages: [
          { step: 1, gets: true, body: 'Hola Dora\nBAJA al +34900000001', goes_at: expect.any(String) },
          { step: 2, gets: true, body: 'Otra vez, Dora\nBAJA al +34900000001', goes_at: null },
        ],
      },
    })
    const why = async (more: object) =>
      (await call('ana', 'POST', '/preview', { ...body, ...more })).body.data.guest
    expect(await why({ customer_id: eva })).toMatchObject({
      reason: 'no_address',
      group: null,
      messages: [{ gets: false }, { gets: false }],
    })
    expect(await why({ customer_id: dora, location_ids: [group.locations[0]?.id] })).toMatchObject({
      reason: 'other_location',
    })
    await sql(`update public.segments set definition = '{"field": "tags", "is": "any", "tags": ["nadie"]}'`)
    expect(await why({ customer_id: dora })).toMatchObject({ reason: 'not_in_segment' })
    expect(await why({})).toBeNull()
    expect((await call('ana', 'POST', '/preview', { ...body, customer_id: group.id })).status).toBe(404)
  })

  it('keeps the number of guests of a draft for the list, only as it is saved', async () => {
    await guests(2)
    const { id, version } = await make()
    const saved = { id, segment_id: segment, messages: [text] }
    const listed = async () => (await call('boss', 'GET', '?status=draft')).body.data[0].guests
    await call('ana', 'POST', '/preview', { ...saved, messages: [{ ...text, body: 'Otro texto' }] })
    expect(await listed()).toBeNull()
    await call('ana', 'POST', '/preview', saved)
    expect(await listed()).toBe(2)
    expect((await read(id)).version).toBe(version)
    await call('ana', 'PATCH', `/${id}`, { version, exclude_recent_days: 30 })
    expect(await listed()).toBeNull()
  })

  it('tests go to oneself', async () => {
    const { id } = await make()
    const sent = await act('ana', id, 'test', { step: 1, recipient: '+34622222222' })
    expect(sent.body.data).toMatchObject({ status: 'sent', recipient: '+34622222222' })
    expect(twilio.accepted.map(({ form }) => form.Body)).toEqual([expect.stringContaining('[Prueba] Hola')])
    expect(await act('ana', id, 'test', { step: 2, recipient: '+34622222222' })).toEqual(refusal('NOT_FOUND'))
    expect(await tally()).toEqual([])
  })
})

describe('launch and approval', () => {
  it('sends at once below the limit, and shows progress and results', async () => {
    await guests(3)
    const { id } = await make()
    const launched = await launch('ana', id, 3)
    expect(launched.body.data).toMatchObject({ status: 'scheduled', guests: 3, mine: true })
    await waitForDetachedWork()
    expect(await read(id)).toMatchObject({
      status: 'finished',
      progress: { processed: 3, sent: 3, pending: 0 },
    })
    expect(twilio.accepted.length).toBe(3)
    const results = await call('boss', 'GET', `/${id}/results`)
    expect(results.body.data).toMatchObject({
      messages: [{ id, step: 1, progress: { processed: 3, sent: 3 }, left_out: [] }],
      ...{ attributed: { reservations: 0 }, ab: null, lift: { visits: { known: 'no_control' } } },
    })
    expect(await call('ana', 'PATCH', `/${id}`, { version: 1, name: 'x' })).toEqual(refusal('NOT_DRAFT'))
    expect(await launch('ana', id, 3)).toEqual(refusal('NOT_DRAFT'))
  })

  it('above the limit waits for another person, who saw the same number', async () => {
    await guests(4)
    const { id } = await make()
    expect(await launch('ana', id, 3)).toEqual(refusal('RUN_CHANGED'))
    const waiting = await launch('ana', id, 4)
    expect(waiting.body.data).toMatchObject({
      status: 'waiting_approval',
      guests: 4,
      can_approve: false,
      expires_at: expect.any(String),
    })
    await runAt(new Date())
    expect(twilio.accepted.length).toBe(0)
    expect(await approve('ana', id, 4)).toEqual(refusal('OTHER_APPROVER_NEEDED'))
    expect(await approve('boss', id, 5)).toEqual(refusal('RUN_CHANGED'))
    expect((await call('boss', 'GET', `/${id}`)).body.data).toMatchObject({ can_approve: true, mine: false })
    expect((await approve('boss', id, 4)).body.data).toMatchObject({
      status: 'scheduled',
      approved_by: expect.any(String),
    })
    await waitForDetachedWork()
    expect(twilio.accepted.length).toBe(4)
    const log = await sql<{ action: string }>(
      `select action from public.audit_log where subject_id = $1 order by created_at`,
      [id],
    )
    expect(log.map(({ action }) => action)).toEqual([
      'campaign.created',
      'campaign.launched',
      'campaign.approved',
    ])
  })

  it('is of the version that the person saw: neither launched nor approved with another text', async () => {
    await guests(4)
    const { id } = await make({ starts_local: past })
    expect(await act('ana', id, 'launch', { guests: 4 })).toEqual(invalid('version', 'required'))
    await call('boss', 'PATCH', `/${id}`, { version: 1, messages: [{ ...text, body: '' }] })
    expect(await launch('ana', id, 4)).toEqual(refusal('RUN_CHANGED'))
    await call('boss', 'PATCH', `/${id}`, { version: 2, messages: [text] })
    expect((await launch('ana', id, 4, 3)).body.data).toMatchObject({ status: 'waiting_approval' })
    await act('ana', id, 'refuse')
    await call('ana', 'PATCH', `/${id}`, { version: 3, messages: [{ ...text, body: 'Otro texto' }] })
    await launch('ana', id, 4, 4)
    expect(await approve('boss', id, 4, 3)).toEqual(refusal('RUN_CHANGED'))
    expect(await read(id)).toMatchObject({ status: 'waiting_approval' })
    expect((await approve('boss', id, 4, 4)).body.data).toMatchObject({ status: 'scheduled' })
  })

  it('refused or expired it is a draft again, and says so; scheduled it can be taken back', async () => {
    await guests(4)
    const { id } = await make({ starts_local: past })
    await launch('ana', id, 4)
    expect((await act('ana', id, 'refuse')).body.data).toMatchObject({ status: 'draft', reason: 'refused' })
    await launch('ana', id, 4)
    await runAt(new Date(Date.now() + 8 * 86_400_000))
    expect(await read(id)).toMatchObject({ status: 'draft', reason: 'expired' })
    await launch('ana', id, 4)
    await approve('boss', id, 4)
    expect((await act('ana', id, 'unschedule')).body.data).toMatchObject({
      status: 'draft',
      approved_by: null,
    })
    expect(await act('ana', id, 'unschedule')).toEqual(refusal('NOT_SCHEDULED'))
    expect(twilio.accepted.length).toBe(0)
  })

  it('pauses when it would write to over a tenth more than was approved, until that is approved', async () => {
    await guests(4)
    const { id } = await make({ starts_local: past })
    await launch('ana', id, 4)
    await approve('boss', id, 4)
    await guest({ first_name: 'Eva', phone: '+34633333333' })
    const then = new Date('2190-06-01T11:00:00Z')
    await runAt(then)
    expect(await read(id)).toMatchObject({ status: 'paused', reason: 'audience_grew' })
    expect(twilio.accepted.length).toBe(0)
    expect((await act('boss', id, 'resume')).body.data).toMatchObject({
      status: 'waiting_approval',
      guests: 5,
    })
    expect(await approve('boss', id, 5)).toEqual(refusal('OTHER_APPROVER_NEEDED'))
    expect((await approve('ana', id, 5)).status).toBe(200)
    await waitForDetachedWork()
    await runAt(then)
    expect(twilio.accepted.length).toBe(5)
    expect(await read(id)).toMatchObject({ status: 'finished' })
  })

  it('pauses when its segment was changed, until another person approves the new one', async () => {
    await guests(4)
    const { id } = await make({ starts_local: past })
    await launch('ana', id, 4)
    await approve('boss', id, 4)
    const other = { definition: { field: 'visits', min: 0, max: 100 } }
    expect((await as.ana.request('PATCH', `/api/segments/${segment}`, { body: other })).status).toBe(200)
    const then = new Date('2190-06-01T11:00:00Z')
    await runAt(then)
    expect(await read(id)).toMatchObject({ status: 'paused', reason: 'segment_changed' })
    expect((await act('boss', id, 'resume')).body.data).toMatchObject({
      status: 'waiting_approval',
      reason: 'segment_changed',
    })
    expect(await approve('boss', id, 4)).toEqual(refusal('OTHER_APPROVER_NEEDED'))
    expect((await approve('ana', id, 4)).status).toBe(200)
    await waitForDetachedWork()
    await runAt(then)
    expect(await read(id)).toMatchObject({ status: 'finished' })
    expect(twilio.accepted.length).toBe(4)
  })

  it('pauses, resumes and stops by hand', async () => {
    await guests(3)
    const { id } = await make({ starts_local: past })
    await launch('ana', id, 3)
    expect(await act('ana', id, 'pause')).toEqual(refusal('NOT_RUNNING'))
    expect((await act('boss', id, 'stop')).body.data).toMatchObject({
      status: 'stopped',
      stopped_by: expect.any(String),
    })
    expect(await act('boss', id, 'stop')).toEqual(refusal('NOT_RUNNING'))
    expect(await act('boss', id, 'resume')).toEqual(refusal('NOT_PAUSED'))
    await runAt(new Date('2190-06-01T11:00:00Z'))
    expect(twilio.accepted.length).toBe(0)
  })

  it('is for who works in its locations', async () => {
    await make()
    const here = await make({ location_ids: [group.locations[0]?.id] }, 'bound')
    const list = await call('bound', 'GET', '')
    expect(list.body.data.map((one: Campaign) => one.id)).toEqual([here.id])
    expect((await launch('bound', here.id, 0)).status).toBe(200)
    await waitForDetachedWork()
  })
})
