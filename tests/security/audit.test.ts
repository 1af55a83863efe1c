import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, stackClient } from '../factories/group'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let host: Client
let kitchen: Client
let stranger: Client
let root: Person
let boss: Client
beforeAll(async () => {
  g = await startGuests([
    {
      name: 'Norte',
      slug: 'norte',
      averageSpend: 20,
      rules: { Bronce: { min_spend: 0, min_visits: 1 }, Plata: { min_spend: 50, min_visits: 1 } },
    },
    { name: 'Sur', slug: 'sur', averageSpend: null, timezone: 'Atlantic/Canary' },
  ])
  host = await g.hire('operaciones', 'Sur')
  kitchen = await g.hire('rrhh')
  stranger = await signedIn(await g.other.person('super_admin'))
  root = await g.group.person('super_admin')
  boss = await signedIn(root)
})
afterAll(() => g?.app.close())

interface Line {
  id: string
  at: string
  actor: string
  action: string
  subject_type: string
  subject_id: string
  subject?: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
const log = async (query = '', client = boss): Promise<Line[]> =>
  (await g.ask(client, 'GET', `/api/audit-log${query}`)).body.data

/** The lines that an action leaves, the first to come first, without ids and times. */
async function linesOf(action: () => Promise<unknown>): Promise<Omit<Line, 'id' | 'at' | 'subject_id'>[]> {
  const known = new Set((await log('?limit=200')).map(({ id }) => id))
  await action()
  return (await log('?limit=200'))
    .filter(({ id }) => !known.has(id))
    .map(({ id: _, at: __, subject_id: ___, ...line }) => line)
    .reverse()
}
const as = (action: string, before: unknown, after: unknown) => ({
  actor: root.email,
  action,
  subject_type: action.split('.')[0],
  before,
  after,
})
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await g.ask(boss, method, path, body)
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body?.data
}

describe('what is logged, with before and after', () => {
  it('settings of the organization', async () => {
    expect(
      await linesOf(() => ask('PATCH', '/api/organization', { frequency_cap_days: 21, quiet_from: '22:00' })),
    ).toEqual([
      as(
        'organization.changed',
        { frequency_cap_days: 7, quiet_from: '21:30:00' },
        { frequency_cap_days: 21, quiet_from: '22:00:00' },
      ),
    ])
    expect(await linesOf(() => ask('PATCH', '/api/organization', { frequency_cap_days: 21 }))).toEqual([])
  })

  it('every setting of the organization: none is forgotten in audited_fields', async () => {
    const missing = await g.sql(
      `select a.attname::text as name from pg_attribute a
       where a.attrelid = 'public.organizations'::regclass and a.attnum > 0 and not a.attisdropped
         and a.attname not in ('id', 'slug', 'created_at', 'pending') and a.attname <> all(private.audited_fields('organizations'))`,
    )
    expect(missing).toEqual([])
  })

  it('brands and locations', async () => {
    let brand = { id: '' }
    let place = { id: '' }
    const lines = await linesOf(async () => {
      brand = await ask('POST', '/api/brands', { name: 'Marina' })
      await ask('PATCH', `/api/brands/${brand.id}`, { name: 'Marina Vieja' })
      place = await ask('POST', '/api/locations', { name: 'Puerto', brand_id: brand.id })
      await ask('PATCH', `/api/locations/${place.id}`, { city: 'Vigo', is_active: false })
      await ask('DELETE', `/api/locations/${place.id}`)
      await ask('DELETE', `/api/brands/${brand.id}`)
    })
    expect(lines.filter(({ subject_type }) => subject_type === 'brand')).toEqual([
      as('brand.created', null, { name: 'Marina', slug: 'marina' }),
      as('brand.changed', { name: 'Marina' }, { name: 'Marina Vieja' }),
      as('brand.deleted', { name: 'Marina Vieja', slug: 'marina' }, null),
    ])
    const places = lines.filter(({ subject_type }) => subject_type === 'location')
    expect(places.map(({ action }) => action)).toEqual([
      'location.created',
      'location.changed',
      'location.deleted',
    ])
    expect(places[0]).toMatchObject({
      actor: root.email,
      before: null,
      after: { name: 'Puerto', brand: 'Marina Vieja' },
    })
    expect(places[1]).toMatchObject({
      before: { city: null, is_active: true },
      after: { city: 'Vigo', is_active: false },
    })
  })

  it('integrations: fields and hosts, of secrets only that they changed', async () => {
    const put = (base_url: string, api_key?: string) => () =>
      ask('PUT', '/api/integrations/ai', {
        is_enabled: false,
        config: { base_url, model: 'gpt-5', ...(api_key ? { api_key } : {}) },
      })
    const lines = [
      ...(await linesOf(put('https://one.example/v1', 'sk-first-secret'))),
      ...(await linesOf(put('https://one.example/v1', 'sk-other-secret'))),
      ...(await linesOf(put('https://two.example/v1'))),
    ]
    expect(lines.map(({ actor, action }) => `${action} ${actor}`)).toEqual([
      `integration.created ${root.email}`,
      ...Array(3).fill(`integration.changed ${root.email}`),
    ])
    expect([...new Set(lines.map(({ subject }) => subject))]).toEqual(['ai'])
    expect(lines.slice(1).map(({ before, after }) => ({ before, after }))).toMatchObject([
      { after: { api_key: 'set', base_url: 'https://one.example/v1' } },
      { before: { api_key: 'set' }, after: { api_key: 'replaced' } },
      {
        before: { api_key: 'set', base_url: 'https://one.example/v1' },
        after: { base_url: 'https://two.example/v1' },
      },
    ])
    const stored = JSON.stringify(await g.sql('select * from public.audit_log'))
    for (const secret of await g.sql<{ value: string }>(
      'select s.value from public.integration_configs, jsonb_each_text(secrets) as s union all select unnest(array[$1, $2])',
      ['sk-first-secret', 'sk-other-secret'],
    ))
      expect(stored).not.toContain(secret.value)
  })

  it('automations: made, changed, switched on, run, deleted; paused with the reason', async () => {
    const fields = {
      name: 'Vuelve',
      type: 'reengagement',
      channel: 'sms',
      body: 'Hola',
      location_ids: [g.places.Norte],
    }
    const lines = await linesOf(async () => {
      const { id } = await ask('POST', '/api/automations', fields)
      await ask('PATCH', `/api/automations/${id}`, { body: 'Buenas' })
      await ask('PATCH', `/api/automations/${id}`, { status: 'active' })
      await ask('POST', `/api/automations/${id}/run`)
      await g.sql(
        `insert into public.automation_runs (organization_id, automation_id, automation_name, triggered_by) values ($1, $2, 'Vuelve', 'manual')`,
        [g.group.id, id],
      )
      await g.sql(
        `update public.automation_runs set status = 'paused', reason = 'no_provider', finished_at = null where status = 'running'`,
      )
      await ask('DELETE', `/api/automations/${id}`)
    })
    expect(lines.map(({ action }) => action)).toEqual([
      'automation.created',
      'automation.changed',
      'automation.enabled',
      'automation.run',
      'automation.paused',
      'automation.deleted',
    ])
    expect(lines[0]).toMatchObject({ actor: root.email, after: { name: 'Vuelve', locations: ['Norte'] } })
    expect(lines[1]).toEqual(as('automation.changed', { body: 'Hola' }, { body: 'Buenas' }))
    expect(lines[4]).toMatchObject({ actor: 'database', after: { reason: 'no_provider' } })
    expect(lines[5]).toMatchObject({ actor: root.email })
  })

  it('the loyalty programme and the rules of a location', async () => {
    const tiers = await g.sql<{ id: string }>(
      `select id::text from public.loyalty_tiers where name = 'Plata' and organization_id = $1`,
      [g.group.id],
    )
    const rules = [{ tier_id: tiers[0]?.id, min_spend: 70, min_visits: 2 }]
    const lines = await linesOf(() =>
      ask('POST', '/api/loyalty/rules', { locationId: g.places.Norte, rules }),
    )
    expect(lines).toEqual([
      as(
        'loyalty_rules.changed',
        { Plata: { min_spend: 50, min_visits: 1 } },
        { Plata: { min_spend: 70, min_visits: 2 } },
      ),
    ])
    const config = await linesOf(() =>
      ask('PUT', '/api/loyalty/config', {
        tiers: [
          { name: 'Bronce', min_spend: 0, points_multiplier: 1 },
          { name: 'Plata', min_spend: 900, points_multiplier: 2 },
        ],
      }),
    )
    expect(config[0]).toMatchObject({ action: 'loyalty_config.created', actor: root.email })
  })

  it('deleted tickets and events, what is about a guest without its words', async () => {
    const guest = await ask('POST', '/api/customers', {
      first_name: 'Zoraida',
      email: 'zoraida@correo.example',
    })
    const made = [
      await ask('POST', '/api/tickets', { subject: 'Lámpara rota' }),
      await ask('POST', '/api/tickets', { subject: 'Zoraida se queja', customer_id: guest.id }),
    ]
    const event = await ask('POST', '/api/calendar-events', {
      title: 'Con Zoraida',
      event_datetime: '2030-01-01T20:00:00Z',
      customer_id: guest.id,
    })
    const lines = await linesOf(async () => {
      for (const { id } of made) await ask('DELETE', `/api/tickets/${id}`)
      await ask('DELETE', `/api/calendar-events/${event.id}`)
    })
    expect(lines).toMatchObject([
      { action: 'ticket.deleted', actor: root.email, before: { subject: 'Lámpara rota' } },
      { action: 'ticket.deleted', before: { priority: 'medium' } },
      { action: 'calendar_event.deleted' },
    ])
    expect(JSON.stringify(lines)).not.toContain('Zoraida')
  })

  it('imports, jobs started by hand, seeding and what is done to guests', async () => {
    const lines = await linesOf(async () => {
      const form = new FormData()
      form.append('file', new File(['Nombre;Correo\nEva;eva@otra.example\n'], 'clientes.csv'))
      form.append('consent', 'none')
      expect((await boss.request('POST', '/api/imports', { body: form })).status).toBe(201)
      await g.ask(boss, 'POST', '/api/sync', { source: 'pms' })
      await ask('POST', '/api/loyalty/recalculate')
      await ask('GET', '/api/admin/seed-locations')
    })
    const seen = lines.map(({ action, actor }) => `${action} ${actor}`)
    expect(seen).toContain(`import.started ${root.email}`)
    expect(seen).toContain(`job.sync_started ${root.email}`)
    expect(seen).toContain(`loyalty.recalculated ${root.email}`)
    expect(seen).toContain(`location.created ${root.email}`)
  })

  it('the team: invitations, roles, locations, and removals, after which the lines stay', async () => {
    const lines = await linesOf(async () => {
      const made = await ask('POST', '/api/team/invitations', {
        email: 'nueva@equipo.example',
        role: 'marketing',
        location_ids: [],
      })
      await ask('DELETE', `/api/team/invitations/${made.id}`)
    })
    expect(lines).toEqual([
      as('invitation.made', null, { email: 'nueva@equipo.example', role: 'marketing' }),
      as('invitation.withdrawn', { email: 'nueva@equipo.example', role: 'marketing' }, null),
    ])
    const leaver = await g.group.person('admin', [g.places.Sur ?? ''])
    const joined = await log(`?search=${leaver.email}`)
    expect(joined.map(({ action }) => action).sort()).toEqual([
      'invitation.made',
      'invitation.redeemed',
      'member.joined',
      'member.locations_added',
    ])
    const client = await signedIn(leaver)
    const guest = await g.ask(client, 'POST', '/api/customers', { first_name: 'Hecha por quien se va' })
    expect(guest.status).toBe(201)
    const changes = await linesOf(async () => {
      await ask('PATCH', `/api/team/${leaver.id}`, {
        role: 'ceo',
        full_name: 'Lea Vera',
        location_ids: [g.places.Norte],
      })
      await ask('DELETE', `/api/team/${leaver.id}`)
    })
    expect(changes.map(({ action, before, after }) => [action, before, after])).toEqual(
      expect.arrayContaining([
        ['member.changed', { role: 'admin', full_name: null }, { role: 'ceo', full_name: 'Lea Vera' }],
        ['member.locations_removed', { locations: ['Sur'] }, null],
        ['member.locations_added', null, { locations: ['Norte'] }],
        ['member.removed', { email: leaver.email, full_name: 'Lea Vera', role: 'ceo' }, null],
      ]),
    )
    // What a removed colleague did is still theirs.
    const [mine] = await log(`?search=${guest.body.data.id}`)
    expect(mine).toMatchObject({ action: 'customer.created', actor: leaver.email })
  })

  it('sign-ins, failures by count, and ended sessions', async () => {
    const person = await g.group.person('marketing')
    const attempt = (password: string) =>
      g.app.client().request('POST', '/api/auth/sign-in', { body: { email: person.email, password } })
    for (let n = 0; n < 4; n++) expect((await attempt('wrong-password')).status).toBe(401)
    expect((await attempt('mesa-tests-2026')).status).toBe(200)
    const lines = await log(`?kind=session&search=${person.email}`)
    expect(lines.map(({ action, after, actor }) => [action, after, actor])).toEqual([
      ['session.started', { failures: 4 }, person.email],
      ['session.refused', { failures: 3 }, 'system'],
    ])
    await ask('PATCH', `/api/team/${person.id}`, { role: 'operaciones' })
    expect((await log(`?kind=session&search=${person.email}`))[0]).toMatchObject({
      action: 'session.all_ended',
      actor: root.email,
    })
  })
})

describe('the log stays', () => {
  it('for every caller: the service may add, but not change, remove or empty', async () => {
    const service = stackClient(g.app.stack, 'service')
    const count = async () =>
      (await g.sql<{ n: number }>('select count(*)::integer as n from public.audit_log'))[0]?.n ?? 0
    const before = await count()
    for (const attempt of [
      service.from('audit_log').update({ actor: 'another' }).eq('organization_id', g.group.id),
      service.from('audit_log').delete().eq('organization_id', g.group.id),
      service.from('organizations').delete().eq('id', g.group.id),
      root.db.from('audit_log').update({ actor: 'another' }).eq('organization_id', g.group.id),
      root.db.from('audit_log').delete().eq('organization_id', g.group.id),
      root.db
        .from('audit_log')
        .insert({ organization_id: g.group.id, action: 'x.y', subject_type: 'x', subject_id: root.id }),
    ])
      expect((await attempt).error).not.toBeNull()
    expect(await count()).toBe(before)
    expect(await g.sql(`select 1 from public.audit_log where actor = 'another'`)).toEqual([])
  })

  it('also when the grants are back, as hosted Supabase gives them: the trigger refuses', async () => {
    await g.sql('grant update, delete, truncate on public.audit_log to service_role')
    for (const attempt of [
      `update public.audit_log set actor = 'another'`,
      'delete from public.audit_log',
      emptyTables('audit_log'),
      `set local session_replication_role = replica`,
    ]) {
      await g.sql('begin')
      try {
        await g.sql('set local role service_role')
        await expect(g.sql(attempt), attempt).rejects.toThrow(/append-only|permission denied/)
      } finally {
        await g.sql('rollback')
      }
    }
    await g.sql('revoke update, delete, truncate on public.audit_log from service_role')
  })

  it('accepts the acting person only from the service', async () => {
    const [line] = await linesOf(async () => {
      const forged = { headers: { 'x-acting-for': root.id } }
      const cook = await g.group.person('admin')
      const client = await signedIn(cook)
      await client.request('PATCH', '/api/organization', { body: { frequency_cap_days: 3 }, ...forged })
    }).then((lines) => lines.filter(({ action }) => action === 'organization.changed'))
    expect(line?.actor).toMatch(/^admin-/)
  })

  it.each([
    ['service_role', 1],
    ['authenticated', 0],
    ['anon', 0],
  ])('the database, asked as %s without a session, takes the header for %i person', async (role, people) => {
    await g.sql('begin')
    try {
      await g.sql('grant execute on function private.acting() to anon, authenticated')
      await g.sql(`select set_config('request.headers', $1, true), set_config('role', $2, true)`, [
        JSON.stringify({ 'x-acting-for': root.id }),
        role,
      ])
      expect(await g.sql('select id from private.acting()')).toHaveLength(people)
    } finally {
      await g.sql('rollback')
    }
  })
})

describe('reading it', () => {
  it('pages by the keyset, and filters', async () => {
    const all = await log('?limit=200')
    const first = await g.ask(boss, 'GET', '/api/audit-log?limit=3')
    const next = await g.ask(boss, 'GET', `/api/audit-log?limit=3&cursor=${first.body.next_cursor}`)
    expect([...first.body.data, ...next.body.data].map(({ id }: Line) => id)).toEqual(
      all.slice(0, 6).map(({ id }) => id),
    )
    expect((await log(`?kind=brand`)).every(({ subject_type }) => subject_type === 'brand')).toBe(true)
    expect((await log('?actor=SUPER_ADMIN')).every(({ actor }) => actor === root.email)).toBe(true)
    expect(await log('?from=2200-01-01T00:00:00Z'.replace('2200', '2199'))).toEqual([])
    expect((await log('?search=marina')).length).toBeGreaterThan(0)
    expect(await log('?search=%25')).toEqual([])
  })

  it('is for those who see the settings; someone bound to locations reads of guests and of these', async () => {
    for (const client of [kitchen, host])
      expect((await g.ask(client, 'GET', '/api/audit-log')).status).toBe(403)
    expect((await log('', stranger)).some(({ actor }) => actor === root.email)).toBe(false)
    const bound = await signedIn(await g.group.person('admin', [g.places.Norte ?? '']))
    const seen = await log('?limit=200', bound)
    const kinds = new Set(seen.map(({ subject_type }) => subject_type))
    expect(kinds).toContain('loyalty_rules')
    for (const kind of ['organization', 'brand', 'integration', 'session', 'member', 'invitation'])
      expect(kinds).not.toContain(kind)
  })

  it('goes out as CSV without formulas, and says so', async () => {
    await ask('POST', '/api/brands', { name: '=HYPERLINK("http://evil.example")', slug: 'formula' })
    const response = await boss.request('GET', '/api/audit-log/export?kind=brand')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-/)
    const text = await response.text()
    expect(text).toContain(`;"'=HYPERLINK(`)
    expect(text).not.toMatch(/(^|[;\n])"?[=+@-]/)
    expect((await log('?kind=audit_log'))[0]).toMatchObject({
      action: 'audit_log.exported',
      actor: root.email,
    })
    expect((await g.ask(kitchen, 'GET', '/api/audit-log/export')).status).toBe(403)
  })
})
