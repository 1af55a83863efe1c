import { afterAll, beforeAll, expect, it } from 'vitest'
import { join } from '../factories/account'
import { createGroup, type Group, inviteWithToken, type Person, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// The role `machine` is for accounts of API tokens: a person with it would be in no list and could not be removed.
let app: TestApp
let group: Group
let boss: Person
let client: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Máquina', [{ name: 'Sol', slug: 'sol' }])
  boss = await group.person('super_admin')
  client = await signedIn(boss)
})
afterAll(() => app?.close())

const service = () => stackClient(app.stack, 'service')
const team = async () => (await answer(await client.request('GET', '/api/team?limit=200'))).body.data
const roleOf = async (id: string) =>
  (await app.stack.sql<{ role: string }>('select role from public.profiles where id = $1', [id]))[0]?.role

it('is given to no person: not by a role change, an invitation, a row or what a sign-up says', async () => {
  const person = await group.person('marketing')
  const changes = { role: 'machine' }
  const called = await boss.db.rpc('change_member', { p_member: person.id, p_changes: changes })
  expect(called.error).not.toBeNull()
  expect(await answer(await client.request('PATCH', `/api/team/${person.id}`, { body: changes }))).toEqual(
    invalid('role'),
  )
  const invited = { email: 'maquina@equipo.example', role: 'machine' }
  expect(await answer(await client.request('POST', '/api/team/invitations', { body: invited }))).toEqual(
    invalid('role'),
  )
  const invitation = { p_email: invited.email, p_role: 'machine', p_full_name: '', p_locations: [] }
  const invitedDirectly = await boss.db.rpc('invite_member', { ...invitation, p_token_hash: 'a'.repeat(64) })
  expect(invitedDirectly.error).not.toBeNull()

  const updated = await service().from('profiles').update(changes).eq('id', person.id)
  expect(updated.error).not.toBeNull()
  expect(await roleOf(person.id)).toBe('marketing')
  const row = { organization_id: group.id, email: person.email, role: 'machine' }
  await service().from('profiles').delete().eq('id', person.id).throwOnError()
  const inserted = await service()
    .from('profiles')
    .insert({ ...row, id: person.id })
  expect(inserted.error).not.toBeNull()

  const email = 'nueva@equipo.example'
  const options = await inviteWithToken(service(), { organization_id: group.id, email, role: 'ceo' })
  const data = { ...options.data, role: 'machine', app_metadata: { role: 'machine' } }
  const { user } = await join(app.stack, stackClient(app.stack, 'anon'), email, data)
  expect(await roleOf(user.id)).toBe('ceo')
})

it('stays with the account of a token', async () => {
  const body = { name: 'Cuadro', permissions: ['canAccessClientes'], expires_in_days: 1 }
  expect((await client.request('POST', '/api/tokens', { body })).status).toBe(201)
  const [machine] = await app.stack.sql<{ id: string }>(
    'select user_id::text as id from private.api_tokens where organization_id = $1',
    [group.id],
  )
  const id = String(machine?.id)
  expect(await roleOf(id)).toBe('machine')
  const updated = await service().from('profiles').update({ role: 'admin' }).eq('id', id)
  expect(updated.error).not.toBeNull()
  expect((await team()).map((one: { id: string }) => one.id)).not.toContain(id)
})

it('of a person, from before, is shown in the team as broken, and mended or removed there', async () => {
  const [mended, removed] = [await group.person('marketing'), await group.person('rrhh')]
  await app.stack.sql('alter table public.profiles disable trigger profiles_check_machine')
  for (const { id } of [mended, removed])
    await app.stack.sql(`update public.profiles set role = 'machine' where id = $1`, [id])
  await app.stack.sql('alter table public.profiles enable trigger profiles_check_machine')

  const shown = (await team()).filter(({ id }: { id: string }) => id === mended.id || id === removed.id)
  const broken = expect.objectContaining({ role: null, broken: true })
  expect(shown).toEqual([broken, broken])
  const path = `/api/team/${mended.id}`
  const named = await answer(await client.request('PATCH', path, { body: { full_name: 'Eva Ruiz' } }))
  expect(named).toMatchObject({ status: 200, body: { data: { full_name: 'Eva Ruiz', broken: true } } })
  const back = await answer(await client.request('PATCH', path, { body: { role: 'marketing' } }))
  expect(back).toMatchObject({ status: 200, body: { data: { role: 'marketing' } } })
  expect(back.body.data).not.toHaveProperty('broken')
  const again = await signedIn(mended)
  expect((await again.request('GET', '/api/customers')).status).toBe(200)

  expect((await client.request('DELETE', `/api/team/${removed.id}`)).status).toBe(204)
  expect(await answer(await client.request('DELETE', `/api/team/${removed.id}`))).toEqual(
    refusal('NOT_FOUND'),
  )
})
