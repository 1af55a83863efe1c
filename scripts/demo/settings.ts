import { createECDH, createHash } from 'node:crypto'
import { join } from 'node:path'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { type LocalKeys, loadKeys } from '../../supabase/local/keys'

/** The folders and ports of a local run; each has an environment variable. */
export interface DemoSettings {
  port: number
  supabasePort: number
  pmsPort: number
  dataDir: string
  scale: number
  /** Of the restaurants on the mainland. */
  timezone: string
  keys: LocalKeys
  cronSecret: string
  pmsKey: string
}

/** Reads PORT, SUPABASE_PORT, PMS_PORT, DATA_DIR, DEMO_SCALE, DEMO_TIMEZONE and CRON_SECRET; keys come from the data directory. */
export async function readSettings(): Promise<DemoSettings> {
  const dataDir = process.env.DATA_DIR ?? '.data'
  const keys = await loadKeys(dataDir)
  return {
    port: positive('PORT', 3000),
    supabasePort: positive('SUPABASE_PORT', 54321),
    pmsPort: positive('PMS_PORT', 4010),
    dataDir,
    scale: positive('DEMO_SCALE', 1),
    timezone: process.env.DEMO_TIMEZONE || TIME_ZONE,
    keys,
    cronSecret: process.env.CRON_SECRET || keys.cronSecret,
    pmsKey: createHash('sha256').update(`pms:${keys.secretsKey}`).digest('hex').slice(0, 32),
  }
}

/** The app's environment for these settings. */
export function appEnvironment(settings: DemoSettings): Record<string, string> {
  return {
    SUPABASE_URL: `http://127.0.0.1:${settings.supabasePort}`,
    SUPABASE_PUBLISHABLE_KEY: settings.keys.publishableKey,
    SUPABASE_SECRET_KEY: settings.keys.secretKey,
    SECRETS_KEY: settings.keys.secretsKey,
    CRON_SECRET: settings.cronSecret,
    ...sendingEnvironment(settings),
    ALLOW_LOOPBACK_UPSTREAMS: '1',
    IMPORT_DIR: process.env.IMPORT_DIR || join(settings.dataDir, 'import'),
    PORT: String(settings.port),
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    NEXT_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  }
}

/** Defaults for trying messages on this machine: sandbox, push keys, and the address of links. */
export function sendingEnvironment({
  port,
  keys,
}: Pick<DemoSettings, 'port' | 'keys'>): Record<string, string> {
  const { APP_URL, MESSAGE_SANDBOX, AUTH_MAILER } = process.env
  return {
    APP_URL: APP_URL || `http://localhost:${port}`,
    MESSAGE_SANDBOX: MESSAGE_SANDBOX || '1',
    // The local Auth prints its mails.
    AUTH_MAILER: AUTH_MAILER || '1',
    ...pushEnvironment(keys),
  }
}

/** Default keys of push notices: always the same, because subscribed devices depend on them. */
function pushEnvironment({ secretsKey }: LocalKeys): Record<string, string> {
  if (process.env.VAPID_PUBLIC_KEY) return {}
  const privateKey = createHash('sha256').update(`vapid:${secretsKey}`).digest()
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return {
    VAPID_PUBLIC_KEY: curve.getPublicKey('base64url'),
    VAPID_PRIVATE_KEY: privateKey.toString('base64url'),
    VAPID_SUBJECT: 'mailto:demo@sobremesa.example',
  }
}

function positive(name: string, fallback: number): number {
  const value = Number(process.env[name] || fallback)
  if (!(value > 0)) throw new Error(`${name} must be a positive number`)
  return value
}
