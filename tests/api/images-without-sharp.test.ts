import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createGroup } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'

// As on a platform that sharp has no build for.
vi.mock('sharp', () => {
  throw new Error('Could not load the "sharp" module')
})

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

it('the images of e-mails are listed also where none can be uploaded', async () => {
  const group = await createGroup(app.stack, 'Grupo Sin', [{ name: 'Norte', slug: 'norte' }])
  const client = await signedIn(await group.person('marketing'))
  const listed = await client.request('GET', '/api/email-images')
  expect({ status: listed.status, body: await listed.json() }).toEqual({
    status: 200,
    body: { data: [], next_cursor: null },
  })
})
