import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { parse } from 'smol-toml'
import type { LocalKeys } from '../../../supabase/local/keys'
import { type Child, freePort, spawnChild } from './child'
import { until } from './poll'

/** The role Auth works as: it owns its tables and is no superuser, like on hosted Supabase. */
export const AUTH_ROLE = 'supabase_auth_admin'

/** What a test wants otherwise than most. */
export interface AuthOptions {
  /** Sign-up waits for the link of a mail; default false. */
  confirmEmail?: boolean
  /** Auth's own settings, such as `GOTRUE_RATE_LIMIT_VERIFY`. */
  settings?: Record<string, string>
}

export interface AuthSurroundings {
  binary: string
  databaseUrl: string
  keys: LocalKeys
  /** The gateway, where the links of mails lead. */
  url: string
  smtpPort: number
  /** Where the files of `supabase/templates` are served. */
  templatesUrl: string
}

/** A running Auth. */
export interface Auth {
  port: number
  stop: () => Promise<void>
}

/** Makes Auth's tables and functions in the schema `auth`, which is there. */
export async function migrateAuth(binary: string, databaseUrl: string): Promise<void> {
  // Settings that it wants for any command.
  const required = {
    GOTRUE_JWT_SECRET: 'unused',
    GOTRUE_SITE_URL: 'http://localhost',
    API_EXTERNAL_URL: 'http://localhost',
  }
  await promisify(execFile)(binary, ['migrate'], {
    cwd: '/',
    env: environment({ ...required, ...database(databaseUrl) }),
  })
}

/**
 * Starts Supabase Auth on a free loopback port, with the settings of `supabase/config.toml` and otherwise hosted
 * Supabase's; only its rate limits are lifted.
 * @throws with its output when it does not come up.
 */
export async function startAuth(around: AuthSurroundings, options: AuthOptions = {}): Promise<Auth> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const child = spawnChild(around.binary, ['serve'], {
      signal: 'KILL',
      env: environment({ ...settings(around, options), GOTRUE_API_HOST: '127.0.0.1', PORT: String(port) }),
    })
    try {
      await ready(child, port)
      return { port, stop: child.stop }
    } catch (error) {
      await child.stop()
      // Another process may have taken the port in the meantime.
      if (attempt === 3) throw error
    }
  }
}

function ready(child: Child, port: number): Promise<true> {
  return until('Start of Supabase Auth', 20_000, child, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health`)
    return response.ok || undefined
  })
}

/** The mails that docs/deploy.md has a project with SMTP of its own send: the text is a file of `supabase/templates`. */
const MAILS = {
  recovery: { subject: 'Tu nueva contraseña · Your new password', file: 'recovery.html' },
}

function settings(around: AuthSurroundings, { confirmEmail = false, settings = {} }: AuthOptions) {
  const { auth } = parse(
    readFileSync(new URL('../../../supabase/config.toml', import.meta.url), 'utf8'),
  ) as unknown as {
    auth: { minimum_password_length: number }
  }
  return {
    ...database(around.databaseUrl),
    GOTRUE_DB_MAX_POOL_SIZE: '10',
    GOTRUE_DB_MAX_IDLE_POOL_SIZE: '10',
    API_EXTERNAL_URL: `${around.url}/auth/v1`,
    GOTRUE_SITE_URL: 'http://localhost:3000',
    // Open, unlike a project's of supabase/config.toml: the database must refuse by itself.
    GOTRUE_DISABLE_SIGNUP: 'false',
    GOTRUE_PASSWORD_MIN_LENGTH: String(auth.minimum_password_length),
    GOTRUE_JWT_SECRET: around.keys.jwtSecret,
    GOTRUE_JWT_EXP: '3600',
    GOTRUE_JWT_AUD: 'authenticated',
    GOTRUE_JWT_DEFAULT_GROUP_NAME: 'authenticated',
    GOTRUE_JWT_ADMIN_ROLES: 'service_role,supabase_admin',
    GOTRUE_JWT_ISSUER: `${around.url}/auth/v1`,
    GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: 'true',
    GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '10',
    GOTRUE_MFA_TOTP_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_TOTP_VERIFY_ENABLED: 'true',
    ...mailPaths('/auth/v1/verify'),
    GOTRUE_MAILER_AUTOCONFIRM: String(!confirmEmail),
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: String(around.smtpPort),
    GOTRUE_SMTP_ADMIN_EMAIL: 'auth@sobremesa.example',
    GOTRUE_SMTP_SENDER_NAME: 'Sobremesa',
    // Limits by the caller's address need GOTRUE_RATE_LIMIT_HEADER; these two go by the person and by the project.
    GOTRUE_SMTP_MAX_FREQUENCY: '1ns',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000000',
    GOTRUE_LOG_LEVEL: 'error',
    ...mailSettings(around.templatesUrl),
    ...settings,
  }
}

const mailPaths = (path: string) =>
  Object.fromEntries(
    ['INVITE', 'CONFIRMATION', 'RECOVERY', 'EMAIL_CHANGE'].map((mail) => [
      `GOTRUE_MAILER_URLPATHS_${mail}`,
      path,
    ]),
  )

function mailSettings(url: string): Record<string, string> {
  const pairs = Object.entries(MAILS).flatMap(([name, { subject, file }]) => [
    [`GOTRUE_MAILER_SUBJECTS_${name.toUpperCase()}`, subject],
    [`GOTRUE_MAILER_TEMPLATES_${name.toUpperCase()}`, `${url}/${file}`],
  ])
  return Object.fromEntries(pairs)
}

const database = (url: string) => ({ GOTRUE_DB_DRIVER: 'postgres', DATABASE_URL: url })

// Nothing else of this process's environment: Auth takes its settings without their prefix, too.
const environment = (variables: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'test' as const,
  ...variables,
})
