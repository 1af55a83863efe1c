import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { notificationSchema, renderNotification } from '@/lib/messaging/notification'
import { CHOSEN } from '../factories/account'
import { createGroup, PASSWORD, type Person } from '../factories/group'
import type { Client } from '../support/app'
import { app, group, SITE, sql, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// A link to a new password that an administrator hands over: as good as the person's account.
withDelivery()

const FORBIDDEN = refusal('FORBIDDEN')
let admin: Person
let boss: Client
let person: Person

beforeAll(async () => {
  admin = await group.person('admin')
  boss = await signedIn(admin)
})
beforeEach(async () => {
  await sql(emptyTables('attempt_limits'))
  person = await group.person('marketing')
})

const make = async (by: Client, id: string) =>
  answer(await by.request('POST', `/api/team/${id}/password-link`))
const logged = () =>
  sql(
    `select actor_id, subject_id, subject, details from public.audit_log where action = 'member.password_link'`,
  )
const linkOf = async ({ id }: Person) => {
  const query = `select coalesce(recovery_token, '') as token from auth.users where id = $1`
  return (await sql<{ token: string }>(query, [id]))[0]?.token
}

// The embedded Auth has no admin API.
describe.skipIf(process.env.STACK !== 'postgres')('a link that is handed over', () => {
  it('sets a new password once, is logged, and the person is told, without the link', async () => {
    await sql(`update public.profiles set full_name = 'Lola Marín' where id = $1`, [person.id])
    await sql(`update public.profiles set full_name = 'Eva Jefa' where id = $1`, [admin.id])
    const browser = await signedIn(person)
    const { status, body } = await make(boss, person.id)
    expect(status).toBe(201)
    const { url, expires_at } = body.data
    const link = new URL(url)
    expect([link.origin, link.pathname]).toEqual([SITE, '/reset-password'])
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 60_000)).toBe(60)
    const subject = `Lola Marín <${person.email}>`
    expect(await logged()).toEqual([{ actor_id: admin.id, subject_id: person.id, subject, details: {} }])

    const token_hash = String(link.searchParams.get('token_hash'))
    const rows = await sql<{ recipient: string; content: unknown; whole: string }>(
      'select recipient, content, m::text as whole from public.messages m',
    )
    expect(rows.map(({ recipient }) => recipient)).toEqual([person.email])
    expect(rows[0]?.whole).not.toContain(token_hash)
    const { text } = renderNotification(notificationSchema.parse(rows[0]?.content))
    expect(text).toMatch(/^Hola, Lola Marín:[\s\S]* Eva Jefa creó un enlace/)

    // Until it is used, nothing ends.
    expect((await browser.request('GET', '/api/notices')).status).toBe(200)
    const reset = () =>
      app.client().request('POST', '/api/auth/reset-password', { body: { token_hash, password: CHOSEN } })
    expect((await reset()).status).toBe(200)
    expect((await browser.request('GET', '/api/notices')).status).toBe(401)
    expect(await answer(await reset())).toEqual(refusal('LINK_SPENT'))
    const signIn = async (password: string) =>
      (await app.client().request('POST', '/api/auth/sign-in', { body: { email: person.email, password } }))
        .status
    expect([await signIn(PASSWORD), await signIn(CHOSEN)]).toEqual([401, 200])
    await waitForDetachedWork()
  })

  it('is made for people with the same rights, or fewer, in one’s own locations', async () => {
    const [madrid = '', canarias = ''] = group.locations.map(({ id }) => id)
    const bound = await signedIn(await group.person('admin', [madrid]))
    const near = await group.person('sala', [madrid])
    const away = await group.person('sala', [canarias])
    const both = await group.person('operaciones', [madrid, canarias])
    const top = await group.person('super_admin')
    const other = await group.person('admin')
    const chief = await signedIn(await group.person('super_admin'))
    expect((await make(bound, near.id)).status).toBe(201)
    expect((await make(boss, other.id)).status).toBe(201)
    expect((await make(chief, top.id)).status).toBe(201)
    await sql(`update auth.users set recovery_token = ''`)
    for (const one of [away, both, person]) expect(await make(bound, one.id)).toEqual(FORBIDDEN)
    expect(await make(boss, top.id)).toEqual(FORBIDDEN)
    for (const one of [away, both, person, top]) expect(await linkOf(one)).toBe('')
  })

  it('gives no right that its maker lacks', async () => {
    const ceo = await group.person('ceo')
    const taken = `from private.role_permissions where role = 'admin' and permission = 'canReadReports'`
    await sql(`delete ${taken}`)
    try {
      expect(await make(boss, ceo.id)).toEqual(FORBIDDEN)
      expect((await make(boss, (await group.person('rrhh')).id)).status).toBe(201)
    } finally {
      await sql(`insert into private.role_permissions values ('admin', 'canReadReports')`)
    }
    expect((await make(boss, ceo.id)).status).toBe(201)
  })

  it('ends with the rights of its maker over the person, whoever changes them', async () => {
    const [madrid = '', canarias = ''] = group.locations.map(({ id }) => id)
    const chief = await signedIn(await group.person('super_admin'))
    const [maker, bound] = [await group.person('admin'), await group.person('admin', [madrid])]
    const [gone, raised, moved, same] = [
      await group.person('marketing'),
      await group.person('marketing'),
      await group.person('sala', [madrid]),
      await group.person('sala', [madrid]),
    ]
    const linkBy = async (by: Client, { id }: Person) =>
      new URL((await make(by, id)).body.data.url).searchParams.get('token_hash')
    const use = async (token_hash: string | null) =>
      answer(
        await app.client().request('POST', '/api/auth/reset-password', {
          body: { token_hash, password: CHOSEN },
        }),
      )
    const atHome = await signedIn(bound)
    const links = {
      gone: await linkBy(await signedIn(maker), gone),
      raised: await linkBy(boss, raised),
      moved: await linkBy(atHome, moved),
      same: await linkBy(atHome, same),
    }
    const change = (id: string, body: object) => chief.request('PATCH', `/api/team/${id}`, { body })
    expect((await chief.request('DELETE', `/api/team/${maker.id}`)).status).toBe(204)
    expect((await change(raised.id, { role: 'super_admin' })).status).toBe(200)
    expect((await change(moved.id, { location_ids: [madrid, canarias] })).status).toBe(200)
    for (const link of [links.gone, links.raised, links.moved])
      expect(await use(link)).toEqual(refusal('LINK_SPENT'))
    expect((await use(links.same)).status).toBe(200)
    await waitForDetachedWork()
  })

  it('is not made for oneself, a machine, or anyone elsewhere; nor by who does not manage the team', async () => {
    const elsewhere = await (await createGroup(app.stack, 'Grupo Ajeno')).person('rrhh')
    const made = await answer(
      await boss.request('POST', '/api/tokens', {
        body: { name: 'Cuadro', permissions: ['canAccessOperaciones'], expires_in_days: 30 },
      }),
    )
    expect(made.status).toBe(201)
    const [machine] = await sql<{ id: string }>(`select id from public.profiles where role = 'machine'`)
    expect(await make(boss, admin.id)).toEqual(refusal('OWN_ACCOUNT'))
    for (const id of [String(machine?.id), elsewhere.id])
      expect(await make(boss, id)).toEqual(refusal('NOT_FOUND'))
    expect(await make(await signedIn(person), (await group.person('rrhh')).id)).toEqual(FORBIDDEN)
    for (const id of [String(machine?.id), elsewhere.id, admin.id])
      expect(await linkOf({ ...person, id })).toBe('')
  })

  it('is decided on by the database too, which neither logs nor mails a refusal', async () => {
    const top = await group.person('super_admin')
    const before = await logged()
    for (const [by, id, word] of [
      [admin, top.id, 'forbidden'],
      [admin, admin.id, 'own'],
      [person, admin.id, 'forbidden'],
    ] as const) {
      const { data } = await by.db.rpc('hand_over_link', { p_member: id, p_made: true })
      expect(data).toBe(word)
    }
    expect(await logged()).toEqual(before)
    expect(await sql('select 1 from public.messages')).toEqual([])
  })
})
