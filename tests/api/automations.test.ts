import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IssueCode } from '@/lib/http/error-codes'
import { createGroup, type Group } from '../factories/group'
import { noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/automations'
const NOT_FOUND = refusal('NOT_FOUND')

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
  app.stack.sql(emptyTables('automations', 'automation_runs', 'messages', 'suppressions', 'customers')),
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
      email_design: null,
      versions: [],
      criteria: { days_before: 7 },
      location_ids: [],
      tags: [],
      tier_ids: [],
      control_share: 0,
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
    ['no_show', { hours_after: 3 }, { hours_after: 3, window_hours: 72 }],
    ['reservation_confirmation', {}, {}],
    ['reservation_confirmation', { answers: false, answer_hours: 5 }, {}],
    [
      'reservation_confirmation',
      { answers: true, nudge_hours: 6 },
      {
        answers: true,
        question: 'Responde 1 para confirmar o 2 para cancelar.',
        answer_hours: 72,
        nudge_hours: 6,
      },
    ],
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

  it.each<[string, Record<string, unknown>, string, IssueCode]>([
    ['a blank name', { name: '  ' }, 'name', 'required'],
    ['a long name', { name: 'x'.repeat(121) }, 'name', 'too_long'],
    ['a NUL', { body: 'a\0b' }, 'body', 'unstorable'],
    ['half a surrogate pair', { subject: '\ud800' }, 'subject', 'unstorable'],
    ['another type', { type: 'newsletter' }, 'type', 'unknown_value'],
    ['another channel', { channel: 'fax' }, 'channel', 'unknown_value'],
    ['itself as fallback', { fallback_channel: 'email' }, 'fallback_channel', 'same_channel'],
    ['an unknown field', { colour: 'red' }, '', 'unknown_field'],
    ['broken Liquid', { body: 'Hola\n\n{% if first_name %}' }, 'body', 'template_tag_open'],
    ['an unknown filter', { subject: 'Hola {{ first_name | shout }}' }, 'subject', 'template_unknown_filter'],
    [
      'broken Liquid in a variable',
      { content_variables: { '1': '{{' } },
      'content_variables.1',
      'template_output_open',
    ],
    ['a file in Liquid', { body: "{% include '/etc/passwd' %}" }, 'body', 'template_unknown_tag'],
    ['a variable’s odd name', { content_variables: { 'a b': 'x' } }, 'content_variables.a b', 'invalid'],
    ['criteria of another type', { criteria: { hours_after: 3 } }, 'criteria', 'unknown_field'],
    ['a negative number', { criteria: { days_before: -1 } }, 'criteria.days_before', 'too_small'],
    ['half a day', { criteria: { days_before: 0.5 } }, 'criteria.days_before', 'wrong_type'],
    [
      'an unknown tier',
      { type: 'vip_reward', criteria: { min_tier: 'Diamante' } },
      'criteria.min_tier',
      'unknown',
    ],
    [
      'an empty window',
      { type: 'post_visit', criteria: { hours_after: 90 } },
      'criteria.window_hours',
      'before_window',
    ],
    ['too many tags', { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags', 'too_many'],
    ['ids that are none', { location_ids: ['norte'] }, 'location_ids.0', 'invalid_format'],
    ['a Content SID that is none', { content_sid: 'HX1' }, 'content_sid', 'invalid_format'],
  ])('refuse %s', async (_, change, path, code) => {
    expect(await call('POST', PATH, { ...READY, ...change })).toEqual(invalid(path, code))
    expect(await app.stack.sql('select 1 from public.automations')).toEqual([])
  })

  it('refuse an endless number', async () => {
    const body = '{"name":"x","type":"birthday","channel":"sms","criteria":{"days_before":1e400}}'
    expect(await call('POST', PATH, body as never)).toEqual(refusal('MALFORMED_JSON'))
  })

  it('refuse locations and tiers of another organization, and locations one does not work in', async () => {
    const [foreign] = await app.stack.sql<{ id: string }>(
      'select id::text from public.loyalty_tiers where organization_id = $1 limit 1',
      [other.id],
    )
    const elsewhere = { ...READY, location_ids: [String(other.locations[0]?.id)] }
    const noLocation = invalid('location_ids', 'unknown')
    expect(await call('POST', PATH, elsewhere)).toEqual(noLocation)
    expect(await call('POST', PATH, { ...READY, location_ids: [locationId('Sur')] }, bound)).toEqual(
      noLocation,
    )
    expect(await call('POST', PATH, { ...READY, tier_ids: [foreign?.id] })).toEqual(
      invalid('tier_ids', 'unknown'),
    )
    const { id } = await make({ location_ids: [locationId('Sur'), locationId('Sur').toUpperCase()] })
    const renamed = await call('PATCH', `${PATH}/${id}`, { name: 'Otra' })
    expect(renamed.body.data.location_ids).toEqual([locationId('Sur')])
    expect((await call('PATCH', `${PATH}/${id}`, { name: 'Suya' }, bound)).status).toBe(404)
  })

  it.each<[string, object, string]>([
    ['e-mail without a subject', { subject: ' ' }, 'subject'],
    ['e-mail without a body', { body: '' }, 'body'],
    ['an SMS without a body', { channel: 'sms', body: ' ' }, 'body'],
    [
      'a fallback to e-mail without a subject',
      { channel: 'sms', fallback_channel: 'email', subject: null },
      'subject',
    ],
    ['WhatsApp without anything', { channel: 'whatsapp', body: '' }, 'content_sid'],
  ])('%s may be saved, not activated', async (_, change, field) => {
    const incomplete = invalid(field, 'required')
    expect(await call('POST', PATH, { ...READY, ...change, status: 'active' })).toEqual(incomplete)
    const { id } = await make(change)
    expect(await call('PATCH', `${PATH}/${id}`, { status: 'active' })).toEqual(incomplete)
    expect((await call('GET', `${PATH}/${id}`)).body.data.status).toBe('inactive')
  })

  it('have unique names', async () => {
    await make()
    const { id } = await make({ name: 'Otra' })
    const taken = refusal('ALREADY_EXISTS')
    expect(await call('POST', PATH, READY)).toEqual(taken)
    expect(await call('PATCH', `${PATH}/${id}`, { name: READY.name })).toEqual(taken)
  })

  it('lose no change when several are made at once: some answer 409', async () => {
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
})
