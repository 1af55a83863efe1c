import { NextRequest } from 'next/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proxy } from '@/proxy'
import { createGroup, PASSWORD } from '../factories/group'
import { startApp, type TestApp } from '../support/app'

const HERE = '6f1c2f0e-0c5b-4f5e-9d3a-1b2c3d4e5f60'
const THERE = '0a1b2c3d-4e5f-4a6b-8c7d-9e8f7a6b5c4d'
let app: TestApp
let session: string

beforeAll(async () => {
  app = await startApp()
  const group = await createGroup(app.stack, 'Grupo Direcciones', [{ name: 'Norte', slug: 'norte' }])
  const body = { email: (await group.person('operaciones')).email, password: PASSWORD }
  const signedIn = await app.client().request('POST', '/api/auth/sign-in', { body })
  session = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
})
afterAll(() => app?.close())

/** Where a page is redirected to, as seen from the host; null when it is shown as it is. */
async function ledTo(path: string, chosen?: string, headers: Record<string, string> = {}) {
  const cookie = [session, ...(chosen === undefined ? [] : [`sobremesa_location=${chosen}`])].join('; ')
  const request = new NextRequest(`http://localhost:3000${path}`, { headers: { cookie, ...headers } })
  const to = (await proxy(request)).headers.get('location')
  if (to === null) return null
  const { origin, pathname, search } = new URL(to)
  expect(origin).toBe('http://localhost:3000')
  return pathname + search
}

it('begins a visit with the location chosen last, and leaves an address that names one', async () => {
  expect(await ledTo('/customers?tag=x')).toBeNull()
  expect(await ledTo('/customers?tag=x', HERE)).toBe(`/customers?tag=x&location=${HERE}`)
  expect(await ledTo(`/customers?location=${THERE}`, HERE)).toBeNull()
  expect(await ledTo('/customers?location=all', HERE)).toBeNull()
  expect(await ledTo('/docs', HERE)).toBeNull()
})

it('leaves what a page loads itself: links carry the location of their tab', async () => {
  expect(await ledTo('/customers', HERE, { 'sec-fetch-dest': 'empty' })).toBeNull()
  expect(await ledTo('/customers', HERE, { 'sec-fetch-dest': 'document' })).not.toBeNull()
})

it('takes the former name of the parameter', async () => {
  expect(await ledTo(`/customers?location_id=${THERE}&tag=x`, HERE)).toBe(
    `/customers?tag=x&location=${THERE}`,
  )
})

it.each(['nonsense', 'x%0d%0aSet-Cookie:a=b', '//evil.example', `${HERE}&next=//evil.example`])(
  'ignores what is no choice: %s',
  async (chosen) => expect(await ledTo('/customers', chosen)).toBeNull(),
)

it('stays on the host that was addressed', async () => {
  expect(await ledTo('//evil.example/', HERE)).toBe(`//evil.example/?location=${HERE}`)
  expect(await ledTo('/customers', HERE, { 'x-forwarded-host': 'evil.example' })).toMatch(/^\/customers/)
})
