import { createHash } from 'node:crypto'
import { PASSWORD } from '../../factories/group'
import { csvForm } from '../../support/csv-form'
import { error, type Row } from '../row'
import type { World } from '../world'
import { cases } from './cases'

/** Where the built app sees the tests come from. */
const ADDRESS = '127.0.0.1'
const EMAIL = 'prisa@contrato.example'

/** The key has had its ten requests of this minute. */
const spent =
  (key: (world: World) => string): Row['arrange'] =>
  async (world) => {
    const { stack } = world
    const name = key(world)
    await stack.sql('delete from public.rate_limits where key = $1', [name])
    await stack.sql('insert into public.rate_limits values ($1, now(), 10, now())', [name])
    return () => stack.sql('delete from public.rate_limits where key = $1', [name])
  }

/** A caller without a session has had the attempts of this minute. */
const attempted =
  (key: string): Row['arrange'] =>
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

const limited = cases('Errors: 429 rate limit exceeded', 'super_admin')
const tenth = { error: 'Rate limit exceeded' }
const headers = { 'retry-after': '' }
const byUser = (key: string, call: string, rest: Parameters<typeof limited>[4] = {}) =>
  limited('the person has asked ten times', call, 429, tenth, {
    headers,
    arrange: spent(({ id }) => `${key}:${id('super_admin')}`),
    ...rest,
  })
const byEmail = (key: string, call: string, json: object) =>
  limited('the e-mail has been tried ten times', call, 429, tenth, {
    as: 'nobody',
    json,
    headers,
    arrange: attempted(key),
  })

const input = cases('decisions §8: errors', 'super_admin')
const CUSTOMERS = 'POST /api/customers'
const MEGABYTE = 1024 * 1024

/** What any endpoint refuses: too many, too large, of another type, from another site. */
export const limitRows: Row[] = [
  byUser('ai-chat', 'POST /api/ai/chat', { json: { message: 'Hola' } }),
  byUser('automations-run', 'POST /api/automations/{id}/run'),
  byUser('automations-test', 'POST /api/automations/test', {
    json: { automation: { type: 'birthday', channel: 'email' } },
  }),
  byUser('import-csv', 'POST /api/admin/import-csv'),
  byUser('import-csv', 'POST /api/admin/import-csv', { json: () => csvForm('email\nana@contrato.example') }),
  byUser('import-csv', 'POST /api/imports', { json: () => csvForm('email\nana@contrato.example') }),
  byUser('pms-test', 'POST /api/integrations/pms/test'),
  byEmail(`sign-in:account:${createHash('sha256').update(EMAIL).digest('hex')}`, 'POST /api/auth/sign-in', {
    email: EMAIL,
    password: PASSWORD,
  }),
  byEmail(`sign-up:email:${EMAIL}`, 'POST /api/auth/sign-up', { email: EMAIL, password: PASSWORD }),
  byEmail(`forgot-password:email:${EMAIL}`, 'POST /api/auth/forgot-password', { email: EMAIL }),
  limited('the address has tried ten links', 'POST /api/auth/reset-password', 429, tenth, {
    as: 'nobody',
    json: { token_hash: 'none', password: PASSWORD },
    headers,
    arrange: attempted(`reset-password:network:${ADDRESS}`),
  }),
  input('the body is above 1 MB', CUSTOMERS, 413, error('Request body too large'), {
    json: { notes: 'x'.repeat(MEGABYTE) },
  }),
  input('the body is no JSON', CUSTOMERS, 415, error('Content-Type must be application/json'), {
    json: 'first_name=Ana',
    sent: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  input('another site’s page sends it', CUSTOMERS, 403, error('Forbidden'), {
    json: { first_name: 'Ana' },
    sent: { origin: 'https://evil.example' },
  }),
  input('a browser says it is from another site', CUSTOMERS, 403, error('Forbidden'), {
    json: { first_name: 'Ana' },
    sent: { 'sec-fetch-site': 'cross-site' },
  }),
  input('another site’s page makes it seed', 'GET /api/admin/seed-locations', 403, error('Forbidden'), {
    sent: { origin: 'https://evil.example' },
  }),
]
