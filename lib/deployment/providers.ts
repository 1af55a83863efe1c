import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { addressOf, decryptSecret } from '@/lib/integrations/secrets'
import { testConnection } from '@/lib/integrations/test-connection'
import {
  formProblem,
  INTEGRATION_TYPES,
  type IntegrationType,
  registrationOf,
} from '@/lib/integrations/types'
import { limit } from './limit'
import { type Line, right, wrong } from './lines'
import { webhookLines } from './webhooks'

/** A group of the database. */
export type Group = Session['organization']

const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Resend's line says whether the mails of accounts and notices can leave. */
const lineOf = (type: IntegrationType) => (type === 'resend' ? 'mailer' : type)
const record = z.record(z.string(), z.unknown()).catch({})

/**
 * The accounts of one group: each that is in use is tested with its provider, which sends no message; the form of its
 * senders; and when its webhooks were heard.
 */
export async function providerLines(group: Group, now: Date): Promise<Line[]> {
  const found = await serviceDb()
    .from('integration_configs')
    .select('integration_type, config, secrets')
    .match({ organization_id: group.id, is_enabled: true })
    .abortSignal(limit())
  const used = new Map((unwrap(found) ?? []).map((row) => [row.integration_type, row]))
  const accounts = INTEGRATION_TYPES.map((type) => accountLine(group, type, used.has(type)))
  const [webhooks, ...lines] = await Promise.all([
    webhookLines(group.id, {
      now,
      used: new Map([...used].map(([type, { secrets }]) => [type, namesOf(secrets)] as const)),
    }),
    ...accounts,
  ])
  const senders = INTEGRATION_TYPES.flatMap((type) => senderLines(type, record.parse(used.get(type)?.config)))
  return [...lines, ...senders, ...webhooks]
}

/** The names of the secrets that are stored. */
const namesOf = (secrets: unknown): string[] =>
  Object.entries(record.parse(secrets)).flatMap(([name, sealed]) =>
    typeof sealed === 'string' ? [name] : [],
  )

async function accountLine(organization: Group, type: IntegrationType, isUsed: boolean): Promise<Line> {
  const id = lineOf(type)
  if (!isUsed) return type === 'resend' ? wrong(id, 'mailer_missing') : right(id, 'provider_unused')
  const service = { organization, db: serviceDb(), user_id: NOBODY, role: 'super_admin' as const }
  const result = await testConnection(service, type)
  return result.success
    ? right(id, 'provider_works')
    : wrong(id, 'provider_fails', { reason: result.reason, type })
}

/** The form of the senders of SMS and WhatsApp: a provider refuses another with each message. */
function senderLines(type: IntegrationType, config: Record<string, unknown>): Line[] {
  const { channels = {} } = registrationOf(type)
  return (['sms', 'whatsapp'] as const).flatMap((channel) => {
    const name = channels[channel]
    const sender = name && config[name]
    if (typeof sender !== 'string' || sender.trim() === '') return []
    const id = `${channel}_sender` as const
    const values = { detail: sender }
    const isWrong = formProblem(type, name ?? '', sender) !== null
    return [isWrong ? wrong(id, 'sender_form', values) : right(id, 'sender_right', values)]
  })
}

/** Whether the stored secrets open with the deployment's SECRETS_KEY. */
export async function secretsLine(): Promise<Line> {
  const detail = 'SECRETS_KEY'
  const found = await serviceDb()
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .abortSignal(limit())
  const sealed = (unwrap(found) ?? []).flatMap(({ organization_id, integration_type, config, secrets }) =>
    Object.entries(record.parse(secrets)).map(([name, value]) => {
      const field = `${integration_type}.${name}`
      const place = { organizationId: organization_id, field, address: addressOf(integration_type, config) }
      return { value, place }
    }),
  )
  const count = sealed.filter(({ value, place }) => !opens(value, place)).length
  if (count > 0) return wrong('secrets_key', 'secrets_unreadable', { detail, count })
  return right('secrets_key', sealed.length > 0 ? 'secrets_open' : 'no_secrets_yet', { detail })
}

function opens(value: unknown, place: Parameters<typeof decryptSecret>[1]): boolean {
  try {
    return typeof value === 'string' && Boolean(decryptSecret(value, place, env().SECRETS_KEYS))
  } catch {
    return false
  }
}
