import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let colleague: Person

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Entretanto', [{ name: 'Sol', slug: 'sol' }])
  colleague = await group.person('marketing')
})
afterAll(() => app?.close())

/** A body that is there only after `meanwhile`; it is read once the app knows who asks. */
function lateBody(body: object, meanwhile: () => Promise<unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        await meanwhile()
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const REQUESTS: [method: string, path: string, body: object][] = [
  ['POST', '/api/locations', { name: 'Luna' }],
  ['PATCH', '/api/organization', { name: 'Otro nombre' }],
  ['PUT', '/api/automations/sending', { stopped: true }],
  ['POST', '/api/account/second-factor/confirm', { factor_id: crypto.randomUUID(), code: '123456' }],
]

describe('a session that ends while its request runs', () => {
  it.each(REQUESTS)('%s %s is answered as without one', async (method, path, body) => {
    const person = await group.person('super_admin')
    const client = await signedIn(person)
    const end = () => app.stack.sql('delete from auth.sessions where user_id = $1', [person.id])
    const headers = { 'content-type': 'application/json' }
    const response = await client.request(method, path, { body: lateBody(body, end), headers })
    expect(await answer(response)).toEqual({
      status: 401,
      body: { error: 'Unauthorized', code: 'UNAUTHORIZED' },
    })
  })

  it('differs from one that continues, where a 404 stays a 404', async () => {
    const client = await signedIn(await group.person('admin'))
    const body = { name: 'Luna' }
    const missing = await client.request('PATCH', `/api/locations/${crypto.randomUUID()}`, { body })
    expect(await answer(missing)).toEqual({ status: 404, body: { error: 'Not found', code: 'NOT_FOUND' } })
  })
})

it('a colleague who is removed while they are changed is not there', async () => {
  await app.stack.sql(`
    create function private.remove_now() returns trigger language plpgsql security definer set search_path = '' as $$
    begin delete from public.profiles where id = new.id; return null; end $$`)
  await app.stack.sql(`create trigger remove_now after update on public.profiles
    for each row when (new.full_name = 'Se Va') execute function private.remove_now()`)
  const client = await signedIn(await group.person('super_admin'))
  const body = { full_name: 'Se Va' }
  const response = await client.request('PATCH', `/api/team/${colleague.id}`, { body })
  expect(await answer(response)).toEqual({ status: 404, body: { error: 'Not found', code: 'NOT_FOUND' } })
})
