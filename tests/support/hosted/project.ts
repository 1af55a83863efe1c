import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerAddress } from '../postgres/server'
import AUTH_SETTINGS from './auth-settings.json'
import { startPooler } from './pooler'

/** A hosted project: what the CLI sees of Supabase, over a database of our own. */
export interface HostedProject {
  ref: string
  /** For the CLI: where the management API is, and a home of its own. */
  env: Record<string, string>
  /** Auth's and the Data API's settings, as the dashboard shows them. */
  settings: { auth: Record<string, unknown>; api: Record<string, unknown> }
  /** The session pooler's address of the database. */
  databaseUrl: string
  /** What was asked: `PATCH /v1/projects/<ref>/config/auth`. */
  calls: string[]
  close: () => Promise<void>
}

const TOKEN = `sbp_${'0'.repeat(40)}`

/** A new project's settings, where the page or `supabase/config.toml` has an opinion. */
const newSettings = () => ({
  auth: {
    site_url: 'http://localhost:3000',
    disable_signup: false,
    external_email_enabled: true,
    mailer_autoconfirm: false,
    password_min_length: 6,
    security_sb_forwarded_for_enabled: false,
    rate_limit_token_refresh: 150,
    mailer_subjects_recovery: 'Reset Your Password',
    mailer_templates_recovery_content: '<h2>Reset Password</h2>',
  } as Record<string, unknown>,
  api: {
    ...{ db_schema: 'public,graphql_public', max_rows: 1000, db_extra_search_path: 'public, extensions' },
    ...{ db_pool: null, db_pool_acquisition_timeout: null, db_pool_max_lifetime: null },
    db_pool_max_idletime: null,
  } as Record<string, unknown>,
})

/**
 * Plays Supabase for the CLI: the management API's calls that the pages' commands make, and the session pooler before a
 * database that `createHostedDatabase` made. Everything else is 404.
 */
export async function startHostedProject(
  server: ServerAddress,
  database: string,
  major: number,
): Promise<HostedProject> {
  const ref = [...randomBytes(20)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  const home = mkdtempSync(join(tmpdir(), 'sobremesa-cli-'))
  const pooler = await startPooler(server, ref, database)
  const settings = newSettings()
  const calls: string[] = []
  const project = {
    ...{ id: ref, ref, organization_id: 'group', organization_slug: 'group', name: 'sobremesa' },
    ...{ region: 'eu-central-1', created_at: '2026-11-01T00:00:00Z', status: 'ACTIVE_HEALTHY' },
    database: {
      ...{ host: `db.${ref}.localhost`, version: `${major}.6.1.001`, postgres_engine: String(major) },
      release_channel: 'ga',
    },
  }
  const own = `/v1/projects/${ref}`
  const change = (kept: Record<string, unknown>, body: object) => Object.assign(kept, body)
  const answers: Record<string, (body: object) => unknown> = {
    'GET /v1/profile': () => ({ gotrue_id: 'me', primary_email: 'me@group.example', username: 'me' }),
    'GET /v1/projects': () => [project],
    [`GET ${own}`]: () => project,
    [`GET ${own}/billing/addons`]: () => ({ selected_addons: [], available_addons: [] }),
    [`GET /v2/projects/${ref}/config`]: () => ({
      data: {
        ...{ type: 'project_config', id: ref },
        attributes: { ...settings, database: { major_version: major } },
      },
    }),
    [`PATCH ${own}/postgrest`]: (body) => change(settings.api, body),
    [`PATCH ${own}/config/auth`]: (body) => ({
      ...Object.fromEntries(AUTH_SETTINGS.map((name) => [name, null])),
      ...{ mailer_otp_exp: 3600, mfa_phone_otp_length: 6, sms_otp_length: 6, custom_oauth_max_providers: 0 },
      ...{ passkey_enabled: false, oauth_server_enabled: false, custom_oauth_enabled: false },
      ...{ oauth_server_allow_dynamic_registration: false },
      ...change(settings.auth, withoutTemplates(body)),
    }),
  }
  const api = createServer(async (request, response) => {
    const call = `${request.method} ${request.url?.split('?')[0]}`
    calls.push(call)
    const answer = request.headers.authorization === `Bearer ${TOKEN}` ? answers[call] : undefined
    response.setHeader('content-type', 'application/json')
    try {
      if (!answer) throw new Refusal(404, `Not found: ${call}`)
      response.end(JSON.stringify(answer(await json(request))))
    } catch (error) {
      response.statusCode = error instanceof Refusal ? error.status : 500
      response.end(JSON.stringify({ message: String(error) }))
    }
  }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const profile = join(home, 'profile.yaml')
  const places = { api_url: url, dashboard_url: url, docs_url: url, project_host: 'localhost' }
  writeFileSync(profile, JSON.stringify({ name: 'tests', ...places }))
  return {
    ref,
    settings,
    calls,
    databaseUrl: `postgresql://postgres.${ref}:${server.password}@localhost:${pooler.port}/postgres`,
    env: {
      ...{ HOME: home, SUPABASE_HOME: join(home, '.supabase'), SUPABASE_PROFILE: profile },
      ...{ SUPABASE_NO_KEYRING: '1', SUPABASE_NO_UPDATE_NOTIFIER: '1', SUPABASE_TELEMETRY_DISABLED: '1' },
      // What the browser gives at the login, and the person who says yes.
      ...{ SUPABASE_ACCESS_TOKEN: TOKEN, SUPABASE_YES: '1' },
    },
    close: async () => {
      api.closeAllConnections()
      await new Promise((done) => api.close(done))
      await pooler.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Free projects made since June 2026 may not change the texts of Supabase's own mailer. */
function withoutTemplates(body: object): object {
  const texts = Object.keys(body).filter((name) => /^mailer_(subjects|templates)_/.test(name))
  if (texts.length > 0) throw new Refusal(400, `Set up custom SMTP to edit templates: ${texts}`)
  return body
}

async function json(request: IncomingMessage): Promise<object> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text ? JSON.parse(text) : {}
}
