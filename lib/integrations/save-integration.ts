import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { notFoundError } from '@/lib/http/refusals'
import { refuseBound } from '@/lib/locations/bound-to'
import { checkReachable } from '@/lib/outgoing/lookup'
import { RefusedAddress } from '@/lib/outgoing/refusals'
import { addressOf } from './address'
import { readIntegrations } from './read-integrations'
import {
  CONFIG_INPUTS,
  INTEGRATION_TYPES,
  type Integration,
  type IntegrationType,
  type integrationInputSchema,
  REQUIRED,
  SECRETS,
} from './schema'
import { encryptSecret } from './secrets'

/**
 * Saves an integration: its fields are replaced, a secret left out is kept. A changed address (`addressOf`) clears the
 * stored secrets, and switches the integration off unless it has all it needs.
 * @throws HttpError 404 for an unknown type, 403 for someone bound to locations, 400 for a malformed field, an address
 * that leads inside, or when an enabled one lacks something.
 */
export async function saveIntegration(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  name: string,
  { is_enabled, config }: z.infer<typeof integrationInputSchema>,
): Promise<Integration> {
  const type = INTEGRATION_TYPES.find((known) => known === name)
  if (!type) throw notFoundError()
  await refuseBound(session)
  const { fields, secrets } = split(type, config, session.organization.id)
  await refuseInside(fields.base_url)
  const needs = missing(type, fields)
  const parameters = {
    p_organization: session.organization.id,
    p_type: type,
    p_enabled: is_enabled,
    p_config: fields,
    p_address: addressOf(type, fields),
    p_secrets: secrets,
    p_required: needs,
  }
  const lacking = unwrap(await serviceDb().rpc('save_integration', parameters)) ?? []
  if (lacking.length > 0) throw new HttpError(400, { error: `config: missing ${lacking.join(', ')}` })
  const saved = (await readIntegrations(session)).find((each) => each.integration_type === type)
  if (!saved) throw notFoundError()
  return saved
}

/** The fields to store as they are (without nulls), and the secrets encrypted for their place (null: to delete). */
function split(type: IntegrationType, config: Record<string, unknown>, organizationId: string) {
  const parsed = CONFIG_INPUTS[type].safeParse(config)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new HttpError(400, { error: `${['config', ...(issue?.path ?? [])].join('.')}: ${issue?.message}` })
  }
  const names: readonly string[] = SECRETS[type]
  const fields: Record<string, Json> = {}
  const secrets: Record<string, string | null> = {}
  const address = addressOf(type, parsed.data)
  for (const [name, value] of Object.entries(parsed.data)) {
    const place = { organizationId, field: `${type}.${name}`, address }
    if (names.includes(name))
      secrets[name] = typeof value === 'string' ? encryptSecret(value, place, env().SECRETS_KEYS) : null
    else if (value !== null && value !== undefined) fields[name] = value
  }
  return { fields, secrets }
}

async function refuseInside(baseUrl: Json | undefined): Promise<void> {
  if (typeof baseUrl !== 'string') return
  try {
    await checkReachable(baseUrl, env().ALLOW_LOOPBACK_UPSTREAMS)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw new HttpError(400, { error: `config.base_url: ${error.message}` })
  }
}

/** What the database must find among the stored secrets, and the fields it will not: they are not given. */
function missing(type: IntegrationType, fields: Record<string, Json>): string[] {
  return REQUIRED[type].flatMap((need) => {
    const choices: readonly string[] = typeof need === 'string' ? [need] : need
    return choices.some((name) => name in fields) ? [] : [choices.join(' or ')]
  })
}
