import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { createGroup } from '../factories/group'
import { type Client, startApp, type TestApp, testClient } from '../support/app'
import { csvForm } from '../support/csv-form'
import { signedIn } from '../support/sign-in'

/** They count wrong passwords and codes alone (tests/security/sign-in-limits.test.ts, second-factor.test.ts). */
const GUESSES = [
  'POST /api/auth/sign-in',
  'POST /api/auth/second-factor',
  'POST /api/auth/password',
  'DELETE /api/account/second-factor',
  'POST /api/account/second-factor/confirm',
]

const limited = Object.entries(PATHS).flatMap(([path, operations]) =>
  Object.entries(operations as Record<string, Operation>)
    .filter(([, { rateLimited }]) => rateLimited)
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, method, operation }))
    .filter(({ name }) => !GUESSES.includes(name)),
)

/** What a request needs so that it is not refused for something else. */
const QUERIES: Readonly<Record<string, string>> = { 'GET /api/customers/duplicates/merge': '?above=0.9' }

let app: TestApp
let boss: Client
beforeAll(async () => {
  app = await startApp()
  const group = await createGroup(app.stack, 'Grupo Prisa', [{ name: 'Norte', slug: 'norte' }])
  boss = await signedIn(await group.person('super_admin'))
  // Every limit is used up, for another 7 seconds.
  for (const parameters of [
    'take_rate_limit(p_key text, p_limit integer, p_seconds integer)',
    'take_attempts(p_keys text[], p_limits integer[], p_seconds integer, p_now timestamptz default now())',
  ])
    await app.stack.sql(
      `create or replace function public.${parameters} returns integer language sql as 'select 7'`,
    )
})
afterAll(() => app?.close())

it.each(limited)('$name keeps the limit that it declares', async ({ name, path, method, operation }) => {
  const { auth, body, bodyExample, otherBodies } = operation
  const client = auth === 'session' ? boss : testClient()
  const address = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000001')
  const sent = bodyExample ?? (otherBodies && !body ? csvForm('email\nana@example.com') : undefined)
  const response = await client.request(
    method.toUpperCase(),
    address + (QUERIES[name] ?? ''),
    sent === undefined ? {} : { body: sent },
  )
  expect({ status: response.status, wait: response.headers.get('retry-after') }).toEqual({
    status: 429,
    wait: '7',
  })
})
