import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetMailer } from '@/lib/auth/reset-mail'
import { waitForDetachedWork } from '@/lib/http/after'
import { CHOSEN } from '../factories/account'
import { inviteWithToken, PASSWORD, type Person } from '../factories/group'
import { connect, RESEND } from '../factories/integrations'
import { app, group, resend, SITE, service, sql, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { watchRequests } from '../support/network'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// The group's own provider, and an Auth whose mailer writes to nobody: a default Supabase project.
withDelivery({ MESSAGE_SANDBOX: '0', AUTH_MAILER: '' })

const DONE = { status: 200, body: { success: true } }
const NO_MAIL = refusal('MAIL_UNAVAILABLE')
const SPENT = refusal('LINK_SPENT')
const STRANGER = 'nadie@fuera.example'
let person: Person

beforeEach(async () => {
  await sql(emptyTables('attempt_limits'))
  person = await group.person('marketing')
})

const post = (path: string, body: unknown) => app.client().request('POST', `/api/auth/${path}`, { body })
async function forgot(email: string) {
  const given = await answer(await post('forgot-password', { email }))
  await waitForDetachedWork()
  return given
}
const reset = async (token_hash: string | null, password = CHOSEN) =>
  answer(await post('reset-password', { token_hash, password }))
const signIn = async (password: string) => (await post('sign-in', { email: person.email, password })).status

/** What the provider was given, in order. */
const mails = () => resend.accepted.map(({ email }) => email as Record<string, string>)
const linksIn = (text = '') => [...text.matchAll(/https?:\S+/g)].map(([link]) => new URL(link))
/** The token of the last mail. */
const mailed = () => linksIn(mails().at(-1)?.text)[0]?.searchParams.get('token_hash') ?? null

// The embedded Auth has no admin API: there Auth's own mailer prints the link (tests/api/password.test.ts).
describe.skipIf(process.env.STACK !== 'postgres')('a forgotten password', () => {
  beforeAll(() => {
    resend.account.sendingOnly = true
  })

  it('is replaced by a link that the group’s provider mails, once, and every session ends', async () => {
    await sql(`update public.profiles set full_name = 'Lola Marín' where id = $1`, [person.id])
    const browser = await signedIn(person)
    expect(await forgot(person.email.toUpperCase())).toEqual(DONE)
    expect(mails()).toHaveLength(1)
    const { to, subject = '', text = '', html } = mails()[0] ?? {}
    expect([to, subject]).toEqual([person.email, 'Su contraseña nueva · Your new password'])
    expect(text).toMatch(/^Hola, Lola Marín:\n/)
    expect(text).toMatch(/contraseña nueva .* en Grupo Entrega\.[\s\S]*vale una vez, durante una hora/)
    expect(text).toMatch(/Somebody asked .* works once, for one hour/)
    const [link, ...others] = linksIn(text)
    expect([others, link?.origin, link?.pathname]).toEqual([[], SITE, '/reset-password'])
    expect(html).toContain(`<a class="link" href="${link}"`)
    expect(app.stack.mails).toEqual([])

    const token = mailed()
    expect(await reset(token)).toEqual(DONE)
    expect((await browser.request('GET', '/api/notices')).status).toBe(401)
    expect([await signIn(PASSWORD), await signIn(CHOSEN)]).toEqual([401, 200])
    expect(await reset(token, `${CHOSEN}!`)).toEqual(SPENT)
  })

  it('leaves its link in no table that the app reads', async () => {
    await forgot(person.email)
    const token = mailed()
    const tables = await sql<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'private') and table_type = 'BASE TABLE'`,
    )
    const found = tables.map(({ name }) => `select '${name}' as name from ${name} t where t::text like $1`)
    expect(await sql(found.join(' union all '), [`%${token}%`])).toEqual([])
  })

  it('answers a stranger the same, asks Auth the same, and mails nothing', async () => {
    const asked: string[] = []
    const stop = watchRequests(({ method, url }) => asked.push(`${method} ${new URL(url).pathname}`))
    const known = await forgot(person.email)
    const before = asked.splice(0).filter((line) => line.includes('/auth/'))
    expect([known, mails().length]).toEqual([DONE, 1])
    expect(await forgot(STRANGER)).toEqual(DONE)
    stop()
    expect(asked.filter((line) => line.includes('/auth/'))).toEqual(before)
    expect(before).toEqual(['POST /auth/v1/admin/generate_link'])
    expect(mails()).toHaveLength(1)
  })

  it('asked for again within the minute, or for the sixth time in an hour, keeps the newest link', async () => {
    for (let mail = 1; mail <= 5; mail++) {
      for (let time = 1; time <= 2; time++) expect(await forgot(person.email)).toEqual(DONE)
      expect(mails()).toHaveLength(mail)
      await sql(`delete from public.attempt_limits where key not like 'reset-mail:hour:%'`)
    }
    expect(await forgot(person.email)).toEqual(DONE)
    expect(mails()).toHaveLength(5)
    expect(await reset(mailed())).toEqual(DONE)
  })

  it('leaves a link alone that an administrator handed over within ten minutes', async () => {
    const boss = await signedIn(await group.person('admin'))
    const { body } = await answer(await boss.request('POST', `/api/team/${person.id}/password-link`))
    expect(await forgot(person.email)).toEqual(DONE)
    // The person is told of the link, without it.
    const links = () => mails().filter(({ text }) => text?.includes('token_hash'))
    expect(links()).toEqual([])
    expect(await reset(new URL(body.data.url).searchParams.get('token_hash'))).toEqual(DONE)
    await sql(`delete from public.attempt_limits where key like 'reset-mail:minute:%'`)
    expect(await forgot(person.email)).toEqual(DONE)
    expect(links()).toHaveLength(1)
  })

  it('follows a link that was handed over and spent in vain', async () => {
    const boss = await signedIn(await group.person('admin'))
    const { body } = await answer(await boss.request('POST', `/api/team/${person.id}/password-link`))
    const name = 'Wilhelmina Kryptonova'
    await sql(`update public.profiles set full_name = $1 where id = $2`, [name, person.id])
    const token_hash = new URL(body.data.url).searchParams.get('token_hash')
    const inVain = { token_hash, password: name.replace(' ', '') }
    const spent = await app.client().request('POST', '/api/auth/reset-password', { body: inVain })
    expect(await answer(spent)).toMatchObject({ body: { issues: [{ code: 'weak_password_link_spent' }] } })
    expect(await forgot(person.email)).toEqual(DONE)
    expect(mails().filter(({ text }) => text?.includes('token_hash'))).toHaveLength(1)
  })

  it('keeps its link for an hour, whatever Auth allows', async () => {
    const since = (minutes: number) =>
      sql('update auth.users set recovery_sent_at = now() - make_interval(mins => $1) where id = $2', [
        minutes,
        person.id,
      ])
    await forgot(person.email)
    const late = mailed()
    await since(61)
    expect(await reset(late)).toEqual(SPENT)
    expect(await signIn(PASSWORD)).toBe(200)
    await sql(emptyTables('attempt_limits'))
    await forgot(person.email)
    const early = mailed()
    await since(59)
    expect(await reset(early)).toEqual(DONE)
  })

  it('of someone who left and is invited again is mailed by the group that invites', async () => {
    await sql('delete from public.profiles where id = $1', [person.id])
    await forgot(person.email)
    expect(mails()).toEqual([])
    await sql(emptyTables('attempt_limits'))
    await inviteWithToken(service(), { organization_id: group.id, email: person.email, role: 'rrhh' })
    await forgot(person.email)
    expect(mails().map(({ to }) => to)).toEqual([person.email])
  })

  it('holds no link in the names of the person and the group', async () => {
    await sql('update public.profiles set full_name = $1 where id = $2', ['www.evil.example', person.id])
    await sql('update public.organizations set name = $1', ['https://evil.example/a'])
    await forgot(person.email)
    await sql('update public.organizations set name = $1', ['Grupo Entrega'])
    expect(linksIn(mails()[0]?.text)).toHaveLength(1)
    expect(mails()[0]?.text).not.toContain('evil.example')
  })

  it('whose mail the provider refuses can be asked for again at once', async () => {
    await forgot(STRANGER)
    // The provider has just been seen to work.
    resend.setFault({ kind: 'reject', status: 422, code: 'validation_error', message: 'no' })
    expect(await forgot(person.email)).toEqual(DONE)
    resend.setFault(null)
    expect(await forgot(person.email)).toEqual(DONE)
    expect(mails()).toHaveLength(1)
  })

  it.each([
    ['answers 5xx', () => resend.setFault({ kind: 'error_before', status: 503 })],
    ['cannot be reached', () => resend.setFault({ kind: 'reset' })],
    ['does not answer in time', () => resend.setFault({ kind: 'hang' })],
  ])('can be asked for while the provider %s, which is asked again after 5 seconds', async (_, arrange) => {
    arrange()
    expect(await forgot(STRANGER)).toEqual(DONE)
    resend.setFault(null)
    const asked = () => resend.requests.filter(({ path }) => path === '/domains').length
    const before = asked()
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 6000)
    expect(await resetMailer()).toBe('provider')
    later.mockRestore()
    expect([before, asked()]).toEqual([1, 2])
  })

  it.each([
    ['no provider', () => connect(app.stack, group.id, 'resend', RESEND, false)],
    ['a key that is not right', () => connect(app.stack, group.id, 'resend', { ...RESEND, api_key: 're_x' })],
  ])('with %s says that no mail can be sent, whether there is an account or not', async (_, arrange) => {
    await arrange()
    for (const email of [person.email, STRANGER]) expect(await forgot(email)).toEqual(NO_MAIL)
    expect(mails()).toEqual([])
    // Once it works again, at once.
    await connect(app.stack, group.id, 'resend', RESEND)
    expect(await forgot(person.email)).toEqual(DONE)
    expect(mails()).toHaveLength(1)
  })
})
