import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROLES, type Role } from '@/lib/permissions'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let stranger: Person
const people: Record<string, Person> = {}
const clients: Record<string, Client> = {}

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Equipo', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
    { name: 'Oeste', slug: 'oeste' },
  ])
  other = await createGroup(app.stack, 'Otro Equipo', [{ name: 'Este', slug: 'este' }])
  stranger = await other.person('super_admin')
  for (const role of ROLES) people[role] = await group.person(role)
  people.boundAdmin = await group.person('admin', [at('Norte'), at('Sur')])
  people.waiter = await group.person('operaciones', [at('Norte')])
  people.cook = await group.person('operaciones', [at('Norte'), at('Oeste')])
  for (const [name, person] of Object.entries(people)) clients[name] = await signedIn(person)
})
afterAll(() => app?.close())

const at = (name: string) =>
  String([...group.locations, ...other.locations].find((one) => one.name === name)?.id)
const as = (name: string) => clients[name] as Client
const idOf = (name: string) => String(people[name]?.id)
const change = (who: string, id: string, body: unknown) =>
  as(who).request('PATCH', `/api/team/${id}`, { body }).then(answer)
const remove = (who: string, id: string) => as(who).request('DELETE', `/api/team/${id}`)
const invite = (who: string, body: unknown) =>
  as(who).request('POST', '/api/team/invitations', { body }).then(answer)
const stored = () =>
  app.stack.sql(
    `select p.email, p.role, p.full_name, p.organization_id::text,
       array(select l.name from public.profile_locations pl join public.locations l on l.id = pl.location_id
         where pl.profile_id = p.id order by 1) as locations
     from public.profiles p order by p.email`,
  )
const open = () =>
  app.stack.sql<{ email: string; role: string; location_ids: string[] }>(
    'select email, role, location_ids::text[] from public.invitations where accepted_at is null order by email',
  )
const FORBIDDEN = { status: 403, body: expect.objectContaining({ code: 'FORBIDDEN' }) }
const NOT_FOUND = { status: 404, body: expect.objectContaining({ code: 'NOT_FOUND' }) }
const OWN = {
  status: 409,
  body: expect.objectContaining({ code: 'OWN_ACCOUNT' }),
}
const UNKNOWN = {
  status: 400,
  body: expect.objectContaining({
    code: 'INVALID_INPUT',
    issues: [expect.objectContaining({ path: 'location_ids' })],
  }),
}

/** Tries something that must fail, and looks whether the team is as before. */
async function unchanged(attempt: () => Promise<unknown>): Promise<unknown> {
  const before = await stored()
  const result = await attempt()
  expect(await stored()).toEqual(before)
  return result
}

describe('the team', () => {
  it('is listed with locations, in pages, without the other organization’s', async () => {
    const { body } = await answer(await as('admin').request('GET', '/api/team?limit=200'))
    expect(body.data.map((one: { email: string }) => one.email)).toEqual(
      Object.values(people).map(({ email }) => email),
    )
    const member = (name: string) => body.data.find(({ id }: { id: string }) => id === idOf(name))
    expect(member('admin')).toMatchObject({ role: 'admin', all_locations: true, location_ids: [] })
    expect(member('cook')).toMatchObject({
      all_locations: false,
      location_ids: [at('Norte'), at('Oeste')].sort(),
    })
    const paged: string[] = []
    let query = '?limit=3'
    for (;;) {
      const page = (await answer(await as('admin').request('GET', `/api/team${query}`))).body
      paged.push(...page.data.map((one: { email: string }) => one.email))
      if (!page.next_cursor) break
      query = `?limit=3&cursor=${page.next_cursor}`
    }
    expect(paged).toEqual(Object.values(people).map(({ email }) => email))
  })

  it('shows people bound to locations only these, and that there are others', async () => {
    const { body } = await answer(await as('boundAdmin').request('GET', '/api/team?limit=200'))
    const member = (name: string) => body.data.find(({ id }: { id: string }) => id === idOf(name))
    expect(member('cook')).toMatchObject({ all_locations: false, location_ids: [at('Norte')] })
    expect(JSON.stringify(body)).not.toContain(at('Oeste'))
  })

  it.each([
    ['not ours', 'x'],
    ['no instant', Buffer.from(JSON.stringify(['norte', crypto.randomUUID()])).toString('base64url')],
    [
      'the year 0',
      Buffer.from(JSON.stringify(['0000-01-01T00:00:00Z', crypto.randomUUID()])).toString('base64url'),
    ],
  ])('refuses a cursor that is %s', async (_, cursor) => {
    for (const path of ['/api/team', '/api/team/invitations'])
      expect((await as('admin').request('GET', `${path}?cursor=${cursor}`)).status).toBe(400)
  })
})

describe('a person', () => {
  it('gets another role, name and locations, field by field', async () => {
    const { body } = await change('admin', idOf('waiter'), {})
    expect(body.data).toMatchObject({ role: 'operaciones', full_name: null, location_ids: [at('Norte')] })
    const both = [at('Norte').toUpperCase(), at('Sur'), at('Sur')]
    const changed = await change('admin', idOf('waiter'), {
      role: 'marketing',
      full_name: ' Lola ',
      location_ids: both,
    })
    expect(changed).toEqual({
      status: 200,
      body: {
        data: {
          ...body.data,
          role: 'marketing',
          full_name: 'Lola',
          location_ids: [at('Norte'), at('Sur')].sort(),
        },
      },
    })
    await change('admin', idOf('waiter'), { full_name: '' })
    expect(await change('admin', idOf('waiter'), { location_ids: [] })).toMatchObject({
      body: { data: { role: 'marketing', full_name: null, all_locations: true, location_ids: [] } },
    })
    await change('admin', idOf('waiter'), { role: 'operaciones', location_ids: [at('Norte')] })
  })

  it('of super_admin rank is made, changed and removed by a super_admin only', async () => {
    for (const attempt of [
      () => change('admin', idOf('ceo'), { role: 'super_admin' }),
      () => change('admin', idOf('super_admin'), { role: 'rrhh' }),
      () => change('admin', idOf('super_admin'), { full_name: 'X' }),
      () => change('boundAdmin', idOf('waiter'), { role: 'super_admin' }),
      () => remove('admin', idOf('super_admin')).then(answer),
    ])
      expect(await unchanged(attempt)).toEqual(FORBIDDEN)
    expect((await change('super_admin', idOf('ceo'), { role: 'super_admin' })).status).toBe(200)
    expect((await change('super_admin', idOf('ceo'), { role: 'ceo' })).status).toBe(200)
  })

  it('changes neither their own role nor their own locations, and cannot leave', async () => {
    for (const who of ['super_admin', 'admin', 'boundAdmin']) {
      expect(await unchanged(() => change(who, idOf(who), { role: 'rrhh' }))).toEqual(OWN)
      expect(await unchanged(() => change(who, idOf(who), { location_ids: [at('Oeste')] }))).toEqual(OWN)
      expect(await unchanged(() => remove(who, idOf(who)).then(answer))).toEqual(OWN)
    }
    expect(await unchanged(() => change('boundAdmin', idOf('boundAdmin'), { location_ids: [] }))).toEqual(OWN)
    const same = { role: 'admin', full_name: 'Ada', location_ids: [at('Sur'), at('Norte')] }
    expect(await change('boundAdmin', idOf('boundAdmin'), same)).toMatchObject({
      status: 200,
      body: { data: { full_name: 'Ada' } },
    })
  })

  it('bound within the manager’s locations is theirs to change, within them', async () => {
    for (const [target, body] of [
      ['ceo', { full_name: 'X' }],
      ['cook', { full_name: 'X' }],
      ['waiter', { location_ids: [] }],
    ] as const)
      expect(await unchanged(() => change('boundAdmin', idOf(target), body))).toEqual(FORBIDDEN)
    expect(
      await unchanged(() => change('boundAdmin', idOf('waiter'), { location_ids: [at('Oeste')] })),
    ).toEqual(UNKNOWN)
    expect(await unchanged(() => remove('boundAdmin', idOf('cook')).then(answer))).toEqual(FORBIDDEN)
    expect((await change('boundAdmin', idOf('waiter'), { location_ids: [at('Sur')] })).status).toBe(200)
    await change('admin', idOf('waiter'), { location_ids: [at('Norte')] })
  })

  it('gets no location of another organization', async () => {
    for (const id of [at('Este'), crypto.randomUUID()])
      expect(
        await unchanged(() => change('super_admin', idOf('waiter'), { location_ids: [at('Norte'), id] })),
      ).toEqual(UNKNOWN)
  })

  it.each([
    [{ role: 'jefe' }],
    [{ role: null }],
    [{ full_name: 'A\u0000' }],
    [{ full_name: 'x'.repeat(121) }],
    [{ location_ids: null }],
    [{ location_ids: ['norte'] }],
    [{ email: 'otra@correo.example' }],
    [{ organization_id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11' }],
    [undefined],
  ])('is not changed by %j', async (body) => {
    expect(await unchanged(() => change('super_admin', idOf('waiter'), body))).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.any(String) }),
    })
  })

  it('is not changed by a list without end', async () => {
    const location_ids = Array.from({ length: 501 }, () => at('Norte'))
    expect((await change('super_admin', idOf('waiter'), { location_ids })).status).toBe(400)
  })

  it('removed has no access any more', async () => {
    const leaver = await group.person('marketing')
    const client = await signedIn(leaver)
    expect((await client.request('GET', '/api/brands')).status).toBe(200)
    expect((await remove('admin', leaver.id)).status).toBe(204)
    expect((await client.request('GET', '/api/brands')).status).toBe(401)
    expect(await remove('admin', leaver.id).then(answer)).toEqual(NOT_FOUND)
  })

  it('two super_admins who demote each other at once leave one', async () => {
    const [one, two] = [await other.person('super_admin'), await other.person('super_admin')]
    await app.stack.sql('delete from public.profiles where id = $1', [stranger.id])
    const [first, second] = [await signedIn(one), await signedIn(two)]
    const body = { role: 'admin' }
    const answers = await Promise.all([
      first.request('PATCH', `/api/team/${two.id}`, { body }),
      second.request('PATCH', `/api/team/${one.id}`, { body }),
    ])
    const [saved, refused] = answers.map(({ status }) => status).sort()
    expect(saved).toBe(200)
    // The other's session has ended with their role, or the role no longer suffices.
    expect([401, 403]).toContain(refused)
    const left = await app.stack.sql(
      `select 1 from public.profiles where organization_id = $1 and role = 'super_admin'`,
      [other.id],
    )
    expect(left).toHaveLength(1)
  })
})

describe('invitations', () => {
  beforeEach(() => app.stack.sql('delete from public.invitations where accepted_at is null'))

  it('are made, listed and taken back', async () => {
    const made = await invite('admin', {
      email: ' Nueva@Equipo.Example ',
      role: 'ceo',
      full_name: 'Nueva',
      location_ids: [at('Sur')],
    })
    expect(made).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(String),
          email: 'nueva@equipo.example',
          full_name: 'Nueva',
          role: 'ceo',
          location_ids: [at('Sur')],
          expires_at: expect.any(String),
          created_at: expect.any(String),
          token: expect.stringMatching(/^[\w-]{43}$/),
          url: expect.stringMatching(/^https:\/\/crm\.example\/sign-up#token=[\w-]{43}$/),
          mail: 'simulated',
        },
      },
    })
    await app.stack.sql(
      `insert into public.invitations (organization_id, email, role) values ($1, 'ajena@otro.example', 'ceo')`,
      [other.id],
    )
    const list = () => as('admin').request('GET', '/api/team/invitations').then(answer)
    const { token, url, ...shown } = made.body.data
    expect(url).toContain(token)
    expect((await list()).body).toEqual({ data: [shown], next_cursor: null })
    const path = `/api/team/invitations/${made.body.data.id}`
    expect((await as('admin').request('DELETE', path)).status).toBe(204)
    expect(await as('admin').request('DELETE', path).then(answer)).toEqual(NOT_FOUND)
    expect((await list()).body.data).toEqual([])
  })

  it('are one an e-mail, and none for a member', async () => {
    await invite('admin', { email: 'nueva@equipo.example', role: 'ceo' })
    expect(await invite('admin', { email: 'NUEVA@equipo.example', role: 'rrhh' })).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'ALREADY_INVITED' }),
    })
    expect(await invite('admin', { email: people.waiter?.email.toUpperCase(), role: 'rrhh' })).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'ALREADY_MEMBER' }),
    })
    expect(await open()).toEqual([{ email: 'nueva@equipo.example', role: 'ceo', location_ids: [] }])
  })

  it.each(['ANA@foo-.com', `${'a'.repeat(65)}@example.com`, 'josé@example.com', 'Ana', ''])(
    'are refused for “%s”, which is no e-mail of an account',
    async (email) => {
      expect(await invite('admin', { email, role: 'ceo' })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', issues: [{ path: 'email' }] },
      })
      expect(await open()).toEqual([])
    },
  )

  it('give no more than the inviter has', async () => {
    const email = 'nueva@equipo.example'
    const refused: [string, object, object][] = [
      ['admin', { role: 'super_admin' }, FORBIDDEN],
      ['boundAdmin', { role: 'rrhh' }, FORBIDDEN],
      ['boundAdmin', { role: 'rrhh', location_ids: [] }, FORBIDDEN],
      ['boundAdmin', { role: 'rrhh', location_ids: [at('Oeste')] }, UNKNOWN],
      ['super_admin', { role: 'rrhh', location_ids: [at('Este')] }, UNKNOWN],
    ]
    for (const [who, body, expected] of refused)
      expect(await invite(who, { email, ...body })).toEqual(expected)
    expect(await open()).toEqual([])
    expect((await invite('boundAdmin', { email, role: 'rrhh', location_ids: [at('Sur')] })).status).toBe(201)
    expect((await invite('super_admin', { email: 'jefa@x.example', role: 'super_admin' })).status).toBe(201)
  })

  it('get another link, and seven days more, from those who could have made them', async () => {
    const made = (await invite('super_admin', { email: 'jefa@x.example', role: 'super_admin' })).body.data
    const renew = (who: string, id: string) =>
      as(who).request('POST', `/api/team/invitations/${id}/link`).then(answer)
    await app.stack.sql(`update public.invitations set expires_at = now() - interval '1 day' where id = $1`, [
      made.id,
    ])
    for (const who of ['admin', 'boundAdmin']) expect(await renew(who, made.id)).toEqual(FORBIDDEN)
    const renewed = await renew('super_admin', made.id)
    expect(renewed).toMatchObject({ status: 200, body: { data: { id: made.id, mail: 'simulated' } } })
    expect(renewed.body.data.token).not.toBe(made.token)
    expect(new Date(renewed.body.data.expires_at).getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const [accepted] = await app.stack.sql<{ id: string }>(
      'select id::text from public.invitations where email = $1',
      [people.waiter?.email],
    )
    expect(await renew('super_admin', String(accepted?.id))).toEqual(NOT_FOUND)
  })

  it('are taken back by those who could have made them', async () => {
    const made = (await invite('super_admin', { email: 'jefa@x.example', role: 'super_admin' })).body.data
    const wide = (await invite('admin', { email: 'ancha@x.example', role: 'rrhh' })).body.data
    const withdraw = (who: string, id: string) =>
      as(who).request('DELETE', `/api/team/invitations/${id}`).then(answer)
    expect(await withdraw('admin', made.id)).toEqual(FORBIDDEN)
    expect(await withdraw('boundAdmin', wide.id)).toEqual(FORBIDDEN)
    const [accepted] = await app.stack.sql<{ id: string }>(
      'select id::text from public.invitations where email = $1',
      [people.waiter?.email],
    )
    expect(await withdraw('super_admin', String(accepted?.id))).toEqual(NOT_FOUND)
    expect(await open()).toHaveLength(2)
  })

  it('come in pages, the oldest first', async () => {
    const emails = ['c@x.example', 'a@x.example', 'b@x.example']
    for (const email of emails) await invite('admin', { email, role: 'rrhh' })
    const seen: string[] = []
    let query = '?limit=1'
    for (;;) {
      const { body } = await answer(await as('admin').request('GET', `/api/team/invitations${query}`))
      seen.push(...body.data.map((one: { email: string }) => one.email))
      if (!body.next_cursor) break
      query = `?limit=1&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(emails)
  })

  it.each([
    [{}],
    [{ email: 'x@y.example' }],
    [{ email: 'x', role: 'ceo' }],
    [{ email: 'x@y.example', role: 'jefe' }],
    [{ email: 'x\u0000@y.example', role: 'ceo' }],
    [{ email: `${'x'.repeat(250)}@y.example`, role: 'ceo' }],
    [{ email: 'x@y.example', role: 'ceo', location_ids: 'all' }],
    [{ email: 'x@y.example', role: 'ceo', organization_id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11' }],
  ])('are not made of %j', async (body) => {
    expect(await invite('admin', body)).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.any(String) }),
    })
    expect(await open()).toEqual([])
  })

  it.each(ROLES.filter((role) => role !== 'super_admin'))(
    'of a %s may come from an admin',
    async (role: Role) => {
      const location_ids = role === 'sala' ? [at('Norte')] : []
      expect((await invite('admin', { email: 'r@x.example', role, location_ids })).status).toBe(201)
    },
  )
})
