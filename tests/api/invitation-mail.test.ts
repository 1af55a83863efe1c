import { beforeAll, beforeEach, expect, it } from 'vitest'
import { CHOSEN } from '../factories/account'
import { connect, RESEND } from '../factories/integrations'
import type { Client } from '../support/app'
import { app, group, resend, SITE, sql, withDelivery } from '../support/delivery'
import { answer, signedIn } from '../support/sign-in'

withDelivery({ MESSAGE_SANDBOX: '0' })

let boss: Client
beforeAll(async () => {
  boss = await signedIn(await group.person('super_admin'))
})
beforeEach(() => sql('delete from public.invitations where accepted_at is null'))

const EMAIL = 'nueva@equipo.example'
const invite = async () =>
  answer(await boss.request('POST', '/api/team/invitations', { body: { email: EMAIL, role: 'rrhh' } }))
const joins = async (token: string) => {
  const body = { email: EMAIL, password: CHOSEN, token }
  const { status } = await app.client().request('POST', '/api/auth/sign-up', { body })
  await sql('delete from auth.users where email = $1', [EMAIL])
  return status
}

it('has the link of the answer, in Spanish, and is in no log of messages', async () => {
  const { data } = (await invite()).body
  expect(data).toMatchObject({ mail: 'sent', url: `${SITE}/sign-up#token=${data.token}` })
  expect(resend.accepted).toHaveLength(1)
  const { to, subject, text, html } = (resend.accepted[0]?.email ?? {}) as Record<string, string>
  expect([to, subject]).toEqual([EMAIL, 'Invitación a Grupo Entrega'])
  expect(text).toContain(`\n${data.url}\n`)
  expect(text).toMatch(/vale una vez y hasta el \S+, \d+ de \S+\./)
  expect(text).toMatch(/You are invited .+ works once, until \w+ \d+ \w+\./)
  expect(html).toContain(`<a class="link" href="${data.url}"`)
  expect(await sql('select 1 from public.messages')).toEqual([])
  expect(await joins(data.token)).toBe(201)
})

it('of a new link has that one', async () => {
  const { id, token } = (await invite()).body.data
  const { data } = await (await boss.request('POST', `/api/team/invitations/${id}/link`)).json()
  expect(data.mail).toBe('sent')
  expect(resend.accepted.map(({ email }) => String(email.text).includes(data.token))).toEqual([false, true])
  expect(await joins(token)).toBe(403)
  expect(await joins(data.token)).toBe(201)
})

it('is remembered in the list, of the link that is valid now', async () => {
  const listed = async () =>
    (await answer(await boss.request('GET', '/api/team/invitations'))).body.data.map(
      ({ mail }: { mail: string }) => mail,
    )
  const { id } = (await invite()).body.data
  expect(await listed()).toEqual(['sent'])
  resend.setFault({ kind: 'reject', status: 422, code: 'validation_error', message: 'no' })
  await boss.request('POST', `/api/team/invitations/${id}/link`)
  expect(await listed()).toEqual(['failed'])
  resend.setFault(null)
  await connect(app.stack, group.id, 'resend', RESEND, false)
  await boss.request('POST', `/api/team/invitations/${id}/link`)
  expect(await listed()).toEqual(['no_provider'])
  await connect(app.stack, group.id, 'resend', RESEND)
})

it.each([
  [{ kind: 'reject', status: 422, code: 'validation_error', message: 'no' }, 'failed'],
  [{ kind: 'error_before' }, 'unknown'],
] as const)('that fails (%j) does not lose the invitation, and the answer says so', async (fault, mail) => {
  resend.setFault(fault)
  const { status, body } = await invite()
  expect([status, body.data.mail]).toEqual([201, mail])
  expect(await joins(body.data.token)).toBe(201)
})

it('needs a provider, and the app’s address: no Host header decides where it leads', async () => {
  await connect(app.stack, group.id, 'resend', RESEND, false)
  const { data } = (await invite()).body
  expect(data.mail).toBe('no_provider')
  expect(await joins(data.token)).toBe(201)
})

it('holds no link in the names of who invites', async () => {
  const names = ['https://evil.example/a', 'www.evil.example']
  await sql(`update public.profiles set full_name = $1 where role = 'super_admin'`, [names[0]])
  await sql('update public.organizations set name = $1', [names[1]])
  const { data } = (await invite()).body
  const text = String(resend.accepted[0]?.email.text).replace(data.url, '')
  expect(text).not.toMatch(/:\/\/|evil\.example|www\.evil/)
})
