import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group, PASSWORD, type Person, stackClient } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
let admin: Person

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Sesiones', [{ name: 'Sol', slug: 'sol' }])
  admin = await group.person('super_admin')
})
afterAll(() => stack?.close())

/** A thief's copy of the person's token: it asks the database API directly and never refreshes. */
async function copyOf({ db }: Person) {
  const { data } = await db.auth.getSession()
  const token = data.session?.access_token ?? ''
  const request = async (path: string, init?: RequestInit) => {
    const headers = { apikey: stack.keys.publishableKey, authorization: `Bearer ${token}` }
    const response = await fetch(`${stack.url}/rest/v1/${path}`, { ...init, headers })
    return response.json()
  }
  return {
    locations: () => request('locations?select=name'),
    session: () => request('rpc/my_session', { method: 'POST' }),
  }
}

const SOL = [{ name: 'Sol' }]

/** What a token opens while its session is alive, and after `end`. */
async function endsWith(person: Person, end: () => PromiseLike<unknown>) {
  const copy = await copyOf(person)
  expect(await copy.locations()).toEqual(SOL)
  expect(await copy.session()).toMatchObject({ user_id: person.id })
  await end()
  expect(await copy.locations()).toEqual([])
  expect(await copy.session()).toBeNull()
}

it('a token opens nothing after its own sign-out', async () => {
  const person = await group.person('marketing')
  await endsWith(person, () => person.db.auth.signOut({ scope: 'local' }))
})

it('a token opens nothing after sign-out everywhere from another device', async () => {
  const person = await group.person('marketing')
  const other = stackClient(stack, 'anon')
  await other.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  await endsWith(person, () => other.auth.signOut({ scope: 'global' }))
})

it('a token opens nothing after the person got another role, and a new sign-in opens what that role may', async () => {
  const person = await group.person('marketing')
  const changes = { p_member: person.id, p_changes: { role: 'rrhh' } }
  await endsWith(person, () => admin.db.rpc('change_member', changes).throwOnError())
  await person.db.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  expect(await (await copyOf(person)).session()).toMatchObject({ role: 'rrhh' })
})

it('a token opens nothing after the person was removed', async () => {
  const person = await group.person('marketing')
  await endsWith(person, () => admin.db.rpc('remove_member', { p_member: person.id }).throwOnError())
})

it('a changed name ends no session', async () => {
  const person = await group.person('marketing')
  const copy = await copyOf(person)
  await admin.db
    .rpc('change_member', { p_member: person.id, p_changes: { full_name: 'Lola' } })
    .throwOnError()
  expect(await copy.session()).toMatchObject({ full_name: 'Lola' })
})
