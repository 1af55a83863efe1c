import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROLES } from '@/lib/auth/permissions'
import { createGroup, type Group } from '../factories/group'
import { createAutomation, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/automations'
const NOT_FOUND = { status: 404, body: { error: 'Not found' } }
const WRITERS = ['super_admin', 'admin', 'ceo', 'marketing']

let app: TestApp
let group: Group
let other: Group
let boss: Client
let bound: Client
let tiers: Record<string, string>

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Campañas', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  other = await createGroup(app.stack, 'Otras Campañas', [{ name: 'Este', slug: 'este' }])
  boss = await signedIn(await group.person('marketing'))
  bound = await signedIn(await group.person('admin', [locationId('Norte')]))
  const rows = await app.stack.sql<{ name: string; id: string }>(
    'select name, id::text from public.loyalty_tiers where organization_id = $1',
    [group.id],
  )
  tiers = Object.fromEntries(rows.map(({ name, id }) => [name, id]))
  await noQuietHours(app.stack)
})
beforeEach(() =>
  app.stack.sql(
    'truncate public.automations, public.automation_runs, public.messages, public.suppressions, public.customers cascade',
  ),
)
afterAll(() => app?.close())

const locationId = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const call = async (method: string, path: string, body?: unknown, client = boss) => {
  const response = await client.request(method, path, body === undefined ? {} : { body })
  return response.status === 204 ? { status: 204, body: null } : answer(response)
}
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
const BIRTHDAY = { name: 'Cumpleaños', type: 'birthday', channel: 'email' }
const READY = { ...BIRTHDAY, subject: 'Hola {{ first_name }}', body: '¡Felicidades!' }
const make = async (more: object = {}) => (await call('POST', PATH, { ...READY, ...more })).body.data

describe('the automations', () => {
  it('are created with defaults, read, listed, changed and deleted', async () => {
    const made = await call('POST', PATH, BIRTHDAY)
    const data = {
      id: expect.any(String),
      ...BIRTHDAY,
      fallback_channel: null,
      status: 'inactive',
      subject: null,
      body: '',
      content_sid: null,
      content_variables: {},
      criteria: { days_before: 7 },
      location_ids: [],
      tags: [],
      tier_ids: [],
      created_at: ISO,
      updated_at: ISO,
    }
    expect(made).toEqual({ status: 201, body: { data } })
    const one = `${PATH}/${made.body.data.id}`
    expect(await call('GET', one)).toEqual({ status: 200, body: made.body })
    expect(await call('GET', one.toUpperCase().replace('/API/AUTOMATIONS', PATH))).toEqual({
      status: 200,
      body: made.body,
    })
    expect(await call('GET', PATH)).toEqual({
      status: 200,
      body: { data: [made.body.data], next_cursor: null },
    })
    const patch = {
      name: 'Día grande',
      status: 'active',
      subject: 'Hola',
      body: 'Ven',
      criteria: { days_before: 3 },
      fallback_channel: 'whatsapp',
      content_sid: `HX${'0a'.repeat(16)}`,
      content_variables: { '1': '{{ first_name }}' },
      location_ids: [locationId('Sur')],
      tags: ['vip'],
      tier_ids: [tiers.Oro],
    }
    const changed = await call('PATCH', one, patch)
    expect(changed).toEqual({ status: 200, body: { data: { ...data, ...patch } } })
    expect(await call('PATCH', one, {})).toEqual(changed)
    expect(await call('GET', one)).toEqual(changed)
    expect(await call('DELETE', one)).toEqual({ status: 204, body: null })
    for (const method of ['GET', 'DELETE']) expect(await call(method, one)).toEqual(NOT_FOUND)
    expect(await call('PATCH', one, {})).toEqual(NOT_FOUND)
    expect(await call('GET', PATH)).toMatchObject({ body: { data: [] } })
    expect((await call('POST', PATH, { ...BIRTHDAY, name: 'Día grande' })).status).toBe(201)
  })

  it.each([
    ['birthday', {}, { days_before: 7 }],
    ['reengagement', { min_visits: 3 }, { inactive_days: 90, min_visits: 3 }],
    ['vip_reward', {}, { min_tier: 'Oro' }],
    ['vip_reward', { min_spend: 250.5 }, { min_spend: 250.5 }],
    ['vip_reward', { min_tier: 'Plata' }, { min_tier: 'Plata' }],
    ['post_visit', {}, { hours_after: 24, window_hours: 72 }],
    ['reservation_confirmation', {}, {}],
  ])('%s completes its criteria %j', async (type, criteria, complete) => {
    expect((await make({ type, criteria })).criteria).toEqual(complete)
  })

  it('a new type brings its own criteria', async () => {
    const { id } = await make({ criteria: { days_before: 1 } })
    expect((await call('PATCH', `${PATH}/${id}`, { type: 'post_visit' })).body.data.criteria).toEqual({
      hours_after: 24,
      window_hours: 72,
    })
  })

  it.each<[string, Record<string, unknown>, string | RegExp]>([
    ['a blank name', { name: '  ' }, /^name: /],
    ['a long name', { name: 'x'.repeat(121) }, /^name: /],
    ['a NUL', { body: 'a\0b' }, 'body: Contains characters that cannot be stored'],
    ['half a surrogate pair', { subject: '\ud800' }, /^subject: /],
    ['another type', { type: 'newsletter' }, /^type: /],
    ['another channel', { channel: 'fax' }, /^channel: /],
    ['itself as fallback', { fallback_channel: 'email' }, 'fallback_channel: must differ from channel'],
    ['an unknown field', { colour: 'red' }, /colour/],
    ['broken Liquid', { body: 'Hola\n\n{% if first_name %}' }, /^body: line 3: /],
    ['an unknown filter', { subject: 'Hola {{ first_name | shout }}' }, /^subject: line 1: /],
    ['broken Liquid in a variable', { content_variables: { '1': '{{' } }, /^content_variables\.1: line 1: /],
    ['a file in Liquid', { body: "{% include '/etc/passwd' %}", status: 'active' }, /^body: .*include/],
    ['a variable’s odd name', { content_variables: { 'a b': 'x' } }, /^content_variables/],
    ['criteria of another type', { criteria: { hours_after: 3 } }, /^criteria: /],
    ['a negative number', { criteria: { days_before: -1 } }, /^criteria\.days_before: /],
    ['half a day', { criteria: { days_before: 0.5 } }, /^criteria\.days_before: /],
    [
      'an endless number',
      '{"name":"x","type":"birthday","channel":"sms","criteria":{"days_before":1e400}}' as never,
      'Malformed JSON',
    ],
    [
      'an unknown tier',
      { type: 'vip_reward', criteria: { min_tier: 'Diamante' } },
      'criteria.min_tier: no such tier',
    ],
    [
      'an empty window',
      { type: 'post_visit', criteria: { hours_after: 90 } },
      'criteria.window_hours: must be more than hours_after',
    ],
    ['too many tags', { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, /^tags: /],
    ['ids that are none', { location_ids: ['norte'] }, /^location_ids\.0: /],
    ['a Content SID that is none', { content_sid: 'HX1' }, /^content_sid: /],
  ])('refuse %s', async (_, change, error) => {
    const body = typeof change === 'string' ? change : { ...READY, ...change }
    const refused = await call('POST', PATH, body)
    if (error === null) {
      expect(refused.status).toBe(201)
      return
    }
    expect(refused).toEqual({
      status: 400,
      body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
    })
    expect(await app.stack.sql('select 1 from public.automations')).toEqual([])
  })

  it('refuse locations and tiers of another organization, and locations one does not work in', async () => {
    const [foreign] = await app.stack.sql<{ id: string }>(
      'select id::text from public.loyalty_tiers where organization_id = $1 limit 1',
      [other.id],
    )
    const error = (text: string) => ({ status: 400, body: { error: text } })
    const elsewhere = { ...READY, location_ids: [String(other.locations[0]?.id)] }
    const noLocation = error('location_ids: not one of your locations')
    expect(await call('POST', PATH, elsewhere)).toEqual(noLocation)
    expect(await call('POST', PATH, { ...READY, location_ids: [locationId('Sur')] }, bound)).toEqual(
      noLocation,
    )
    expect(await call('POST', PATH, { ...READY, tier_ids: [foreign?.id] })).toEqual(
      error('tier_ids: not one of your tiers'),
    )
    const { id } = await make({ location_ids: [locationId('Sur'), locationId('Sur').toUpperCase()] })
    const renamed = await call('PATCH', `${PATH}/${id}`, { name: 'Otra' })
    expect(renamed.body.data.location_ids).toEqual([locationId('Sur')])
    expect((await call('PATCH', `${PATH}/${id}`, { name: 'Suya' }, bound)).status).toBe(404)
  })

  it.each<[string, object, string]>([
    ['e-mail without a subject', { subject: ' ' }, 'subject: needed to send e-mail'],
    ['e-mail without a body', { body: '' }, 'body: needed to send e-mail or SMS'],
    ['an SMS without a body', { channel: 'sms', body: ' ' }, 'body: needed to send e-mail or SMS'],
    [
      'a fallback to e-mail without a subject',
      { channel: 'sms', fallback_channel: 'email', subject: null },
      'subject: needed to send e-mail',
    ],
    [
      'WhatsApp without anything',
      { channel: 'whatsapp', body: '' },
      'content_sid: needed to send WhatsApp, or a body',
    ],
  ])('%s may be saved, not activated', async (_, change, error) => {
    const refusal = { status: 400, body: { error } }
    expect(await call('POST', PATH, { ...READY, ...change, status: 'active' })).toEqual(refusal)
    const { id } = await make(change)
    expect(await call('PATCH', `${PATH}/${id}`, { status: 'active' })).toEqual(refusal)
    expect((await call('GET', `${PATH}/${id}`)).body.data.status).toBe('inactive')
  })

  it('have each a name of its own', async () => {
    await make()
    const { id } = await make({ name: 'Otra' })
    const taken = { status: 409, body: { error: 'Already exists' } }
    expect(await call('POST', PATH, READY)).toEqual(taken)
    expect(await call('PATCH', `${PATH}/${id}`, { name: READY.name })).toEqual(taken)
  })

  it('of several changes at once none is lost: some may have to be made again', async () => {
    const { id } = await make()
    const changes = {
      name: 'Otra',
      subject: 'Otro',
      body: 'Otra',
      tags: ['otra'],
      content_variables: { a: 'b' },
    }
    const answers = await Promise.all(
      Object.entries(changes).map(async ([field, value]) => {
        const { status } = await call('PATCH', `${PATH}/${id}`, { [field]: value })
        return [field, value, status] as const
      }),
    )
    const { data } = (await call('GET', `${PATH}/${id}`)).body
    const made = answers.filter(([, , status]) => status === 200)
    expect(made.length).toBeGreaterThan(0)
    for (const [field, value] of made) expect(data[field], field).toEqual(value)
    for (const [, , status] of answers) expect([200, 409]).toContain(status)
  })

  it.each(ROLES)('%s: marketing staff only', async (role) => {
    const client = await signedIn(await group.person(role))
    const { id } = await make()
    const allowed = WRITERS.includes(role)
    const attempts: [string, string, unknown, number][] = [
      ['GET', PATH, undefined, 200],
      ['POST', PATH, { ...READY, name: 'Nueva' }, 201],
      ['GET', `${PATH}/${id}`, undefined, 200],
      ['PATCH', `${PATH}/${id}`, { tags: ['x'] }, 200],
      ['GET', `${PATH}/${id}/runs`, undefined, 200],
      ['GET', `${PATH}/${id}/preview`, undefined, 200],
      ['GET', '/api/messages', undefined, 200],
      ['DELETE', `${PATH}/${id}`, undefined, 204],
    ]
    for (const [method, path, body, status] of attempts) {
      expect((await call(method, path, body, client)).status, `${method} ${path}`).toBe(
        allowed ? status : 403,
      )
      expect((await call(method, path, body, app.client())).status).toBe(401)
    }
  })

  it('of another organization are not there; a malformed id is refused', async () => {
    const foreign = await createAutomation(app.stack, other.id, { type: 'birthday' })
    const paths = (id: string) =>
      [
        ['GET', `${PATH}/${id}`],
        ['PATCH', `${PATH}/${id}`, { name: 'Mía' }],
        ['PATCH', `${PATH}/${id}`, {}],
        ['DELETE', `${PATH}/${id}`],
        ['GET', `${PATH}/${id}/runs`],
        ['GET', `${PATH}/${id}/preview`],
      ] as const
    for (const id of [foreign, crypto.randomUUID()])
      for (const [method, path, body] of paths(id)) expect(await call(method, path, body)).toEqual(NOT_FOUND)
    for (const [method, path, body] of paths('nope'))
      expect(await call(method, path, body)).toEqual({ status: 400, body: { error: 'id: Invalid UUID' } })
    expect(await app.stack.sql('select deleted_at from public.automations')).toEqual([{ deleted_at: null }])
  })
})
