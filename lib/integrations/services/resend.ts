import 'server-only'
import { z } from 'zod'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { resendProvider } from '@/lib/messaging/resend'
import { failed, type Question, works } from '../question'
import type { Sender } from './service'
import { openSecret, readEnabled, trimmed } from './stored'

/** An organization's Resend account. Without a webhook secret no webhook is accepted. Never log the secrets. */
export interface ResendConfig {
  organizationId: string
  apiKey: string
  webhookSecret: string | null
  fromEmail: string
  fromName: string | null
}

const config = z.object({ from_email: z.string(), from_name: trimmed })
const secrets = z.object({ api_key: z.string(), webhook_secret: z.string().nullish() })

/** E-mail by Resend. */
export const resend: Sender<ResendConfig> = {
  type: 'resend',
  config,
  secrets,
  open: (row) => {
    const { from_email, from_name } = config.parse(row.config)
    const { api_key, webhook_secret } = secrets.parse(row.secrets)
    return {
      organizationId: row.organization_id,
      apiKey: openSecret(row, 'api_key', api_key),
      webhookSecret: webhook_secret ? openSecret(row, 'webhook_secret', webhook_secret) : null,
      fromEmail: from_email,
      fromName: from_name,
    }
  },
  providers: (config) => {
    const { RESEND_BASE_URL: baseUrl, EMAILS_PER_SECOND: pace } = env()
    return { email: resendProvider({ ...config, baseUrl, pace }) }
  },
  questions: (config) => [askDomains(config)],
}

/**
 * The enabled Resend accounts: of one organization, or of all.
 * @throws Error when a secret cannot be decrypted.
 */
export const enabledResendConfigs = (db: Db, organizationId?: string): Promise<ResendConfig[]> =>
  readEnabled(resend, db, organizationId)

const domains = z.object({
  data: z.array(z.object({ name: z.string(), status: z.string() })),
  has_more: z.boolean().default(false),
})
const resendError = z.object({ name: z.string().default(''), message: z.string().default('') })

/** Requests the domains of the account: the sender's must be among them, and verified. */
function askDomains({ apiKey, fromEmail }: ResendConfig): Question {
  return {
    baseUrl: env().RESEND_BASE_URL,
    path: '/domains',
    init: { headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' } },
    judge: (status, body) => {
      const { name, message } = resendError.safeParse(body).data ?? {}
      // A key with only the right to send is valid, but cannot list domains.
      if (name === 'restricted_api_key') return works
      if ([400, 401, 403].includes(status) && /api.key/i.test(`${name} ${message}`))
        return failed('bad_key', 'Resend does not accept the key')
      const list = status === 200 ? domains.safeParse(body) : null
      if (!list?.success) return null
      const { data, has_more } = list.data
      const verified = data.filter((domain) => domain.status === 'verified').map((domain) => domain.name)
      return has_more || isWithin(fromEmail, [...verified, 'resend.dev'])
        ? works
        : failed('domain_not_verified', 'the domain of from_email is not verified')
    },
  }
}

/** Whether the address belongs to one of the domains or their subdomains. */
function isWithin(email: string, names: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return names.some((name) => domain === name.toLowerCase() || domain.endsWith(`.${name.toLowerCase()}`))
}
