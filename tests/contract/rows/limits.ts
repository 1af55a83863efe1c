import { createHash } from 'node:crypto'
import { PASSWORD } from '../../factories/group'
import { csvForm } from '../../support/csv-form'
import { type Arrange, error, type Row } from '../row'
import type { World } from '../world'

/** Where the built app sees the tests come from. */
const ADDRESS = '127.0.0.1'
const EMAIL = 'prisa@contrato.example'

/** The key has had its ten requests of this minute. */
const spent =
  (key: (world: World) => string): Arrange =>
  async (world) => {
    const { stack } = world
    const name = key(world)
    await stack.sql('delete from public.rate_limits where key = $1', [name])
    await stack.sql('insert into public.rate_limits values ($1, now(), 10, now())', [name])
    return () => stack.sql('delete from public.rate_limits where key = $1', [name])
  }

/** A caller without a session has had the attempts of this minute. */
const attempted =
  (key: string): Arrange =>
  async ({ stack }) => {
    const drop = () => stack.sql('delete from public.attempt_limits where key = $1', [key])
    await drop()
    await stack.sql(
      `insert into public.attempt_limits (key, window_start, hits, expires_at)
       values ($1, now(), 10, now() + interval '1 minute')`,
      [key],
    )
    return drop
  }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const tenth = { error: 'Rate limit exceeded' }
const headers = { 'retry-after': '' }
const byUser = (key: string, operation: string, body?: Row['request']['body']): Row => ({
  name: 'refuses the eleventh request of a person',
  section: 'Errors: 429 rate limit exceeded',
  as: 'super_admin',
  request: { operation, body },
  arrange: spent(({ id }) => `${key}:${id('super_admin')}`),
  answers: { status: 429, headers, body: tenth },
})
const byEmail = (key: string, operation: string, body: object): Row => ({
  name: 'refuses the eleventh try of an e-mail',
  section: 'Errors: 429 rate limit exceeded',
  as: 'visitor',
  request: { operation, body },
  arrange: attempted(key),
  answers: { status: 429, headers, body: tenth },
})

const CUSTOMERS = 'POST /api/customers'
const MEGABYTE = 1024 * 1024

/** What any endpoint refuses: too many, too large, of another type, from another site. */
export const limitRows: Row[] = [
  byUser('ai-chat', 'POST /api/ai/chat', { message: 'Hola' }),
  byUser('automations-run', 'POST /api/automations/{id}/run'),
  byUser('automations-test', 'POST /api/automations/test', {
    automation: { type: 'birthday', channel: 'email' },
  }),
  byUser('automations-test', 'POST /api/campaigns/{id}/test', { step: 1 }),
  byUser('customer-tags', 'POST /api/customers/tags', { action: 'add', tag: 'prisa', filters: {} }),
  byUser('import-csv', 'POST /api/admin/import-csv'),
  byUser('import-csv', 'POST /api/admin/import-csv', () => csvForm('email\nana@contrato.example')),
  byUser('import-csv', 'POST /api/imports', () => csvForm('email\nana@contrato.example')),
  byUser('integration-test', 'POST /api/integrations/{type}/test'),
  byUser('push-test', 'POST /api/account/push/{id}/test'),
  byEmail(`sign-in:account:${sha256(EMAIL)}`, 'POST /api/auth/sign-in', {
    email: EMAIL,
    password: PASSWORD,
  }),
  byEmail(`sign-up:email:${EMAIL}`, 'POST /api/auth/sign-up', { email: EMAIL, password: PASSWORD }),
  {
    ...byEmail(`invitation:email:${sha256('x')}`, 'POST /api/auth/invitation', { token: 'x' }),
    name: 'refuses the eleventh try of a token',
  },
  byEmail(`forgot-password:email:${EMAIL}`, 'POST /api/auth/forgot-password', { email: EMAIL }),
  {
    name: 'refuses the eleventh link of an address',
    section: 'Errors: 429 rate limit exceeded',
    as: 'visitor',
    request: { operation: 'POST /api/auth/reset-password', body: { token_hash: 'none', password: PASSWORD } },
    arrange: attempted(`reset-password:network:${ADDRESS}`),
    answers: { status: 429, headers, body: tenth },
  },
  {
    name: 'refuses the eleventh guess of an address',
    section: 'Errors: 429 rate limit exceeded',
    as: 'visitor',
    request: {
      operation: 'POST /api/setup',
      body: { token: 'guess', group_name: 'Grupo', email: EMAIL, password: PASSWORD },
    },
    arrange: attempted(`setup:network:${ADDRESS}`),
    answers: { status: 429, headers, body: tenth },
  },
  {
    name: 'refuses the eleventh post of a link',
    section: 'Errors: 429 rate limit exceeded',
    as: 'visitor',
    request: {
      operation: 'POST /api/f/{token}',
      id: 'prisa',
      body: 'score=5',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    arrange: attempted(`feedback:email:${createHash('sha256').update('prisa').digest('base64url')}`),
    answers: { status: 429, headers, body: tenth },
  },
  {
    name: 'refuses a body above 1 MB',
    section: 'our own: errors',
    as: 'super_admin',
    request: { operation: CUSTOMERS, body: { notes: 'x'.repeat(MEGABYTE) } },
    answers: { status: 413, body: error('Request body too large') },
  },
  {
    name: 'refuses a body that is not JSON',
    section: 'our own: errors',
    as: 'super_admin',
    request: {
      operation: CUSTOMERS,
      body: 'first_name=Ana',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    answers: { status: 415, body: error('Content-Type must be application/json') },
  },
  {
    name: 'refuses a page of another site',
    section: 'our own: errors',
    as: 'super_admin',
    request: {
      operation: CUSTOMERS,
      body: { first_name: 'Ana' },
      headers: { origin: 'https://evil.example' },
    },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses a request that the browser marks as cross-site',
    section: 'our own: errors',
    as: 'super_admin',
    request: {
      operation: CUSTOMERS,
      body: { first_name: 'Ana' },
      headers: { 'sec-fetch-site': 'cross-site' },
    },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses a page of another site',
    section: 'our own: errors',
    as: 'super_admin',
    request: { operation: 'GET /api/admin/seed-locations', headers: { origin: 'https://evil.example' } },
    answers: { status: 403, body: error('Forbidden') },
  },
]
