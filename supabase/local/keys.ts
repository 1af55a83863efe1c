import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@supabase/lite'

/** Credentials of a local stack: Supabase API keys, the JWT secret, and the app's own two secrets. */
export interface LocalKeys {
  publishableKey: string
  secretKey: string
  jwtSecret: string
  cronSecret: string
  secretsKey: string
}

/** Fresh random credentials. */
export async function generateKeys(): Promise<LocalKeys> {
  return {
    publishableKey: (await generateApiKey('publishable')).key,
    secretKey: (await generateApiKey('secret')).key,
    jwtSecret: randomBytes(32).toString('hex'),
    cronSecret: randomBytes(24).toString('base64url'),
    secretsKey: randomBytes(32).toString('base64'),
  }
}

/**
 * The credentials kept in `<dataDir>/keys.json` (readable by the owner only), made on first use.
 * They must outlive restarts: sessions and encrypted secrets depend on them.
 */
export async function loadKeys(dataDir: string): Promise<LocalKeys> {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'keys.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as LocalKeys
  const keys = await generateKeys()
  writeFileSync(file, JSON.stringify(keys, null, 2), { mode: 0o600 })
  return keys
}
