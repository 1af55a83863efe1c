import 'server-only'
import { z } from 'zod'
import { RefusedAddress } from '@/lib/address/refusals'
import type { Session } from '@/lib/auth/session'
import { refuseBound } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError, invalidInput, notFoundError } from '@/lib/http/errors'
import { problemsOf } from '@/lib/http/issues'
import { checkReachable } from '@/lib/outgoing/lookup'
import { CONFIG_INPUTS, type Integration, type integrationInputSchema, integrationSchema } from './schema'
import { addressOf, encryptSecret } from './secrets'
import { INTEGRATION_TYPES, INTEGRATIONS, type IntegrationType, secretsOf } from './types'

const record = z.record(z.string(), z.unknown())

/** The integrations of the caller's organization, configured or not; never a secret, nor its ciphertext. */
export async function readIntegrations({
  organization,
}: Pick<Session, 'organization'>): Promise<Integration[]> {
  // People may not select ciphertexts: the service client checks whether there is one.
  const found = await serviceDb()
    .from('integration_configs')
    .select('integration_type, is_enabled, config, secrets')
    .eq('organization_id', organization.id)
  const rows = new Map((unwrap(found) ?? []).map((row) => [row.integration_type, row]))
  return INTEGRATION_TYPES.map((type) => {
    const row = rows.get(type)
    const stored = record.parse(row?.config ?? {})
    const sealed = record.parse(row?.secrets ?? {})
    const secrets = secretsOf(type)
    const config = Object.keys(CONFIG_INPUTS[type].shape).flatMap((name) =>
      secrets.includes(name)
        ? [
            [name, null],
            [`${name}_set`, typeof sealed[name] === 'string'],
          ]
        : [[name, stored[name] ?? null]],
    )
    return shown({
      integration_type: type,
      is_enabled: row?.is_enabled ?? false,
      config: Object.fromEntries(config),
    })
  })
}

/** The integration; one with fields that cannot be read any more is `broken`, and these are null. */
function shown(
  integration: Pick<Integration, 'integration_type' | 'is_enabled'> & { config: Record<string, unknown> },
): Integration {
  const { data, error } = integrationSchema.safeParse(integration)
  if (data) return data
  const unread = error.issues.map(({ path }) => [path[1], null])
  return integrationSchema.parse({
    ...integration,
    config: { ...integration.config, ...Object.fromEntries(unread) },
    broken: true,
  })
}

/**
 * Saves an integration: its fields are replaced, an absent secret is kept. A changed address (`addressOf`) clears the
 * stored secrets, and switches the integration off if a required field is then missing.
 * @throws HttpError 404 for an unknown type, 403 for a caller bound to locations, 400 for a malformed field, an address
 * inside the network, or an enabled integration that lacks a field.
 */
export async function saveIntegration(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
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
  if (lacking.length > 0) throw incomplete(lacking)
  const saved = (await readIntegrations(session)).find((each) => each.integration_type === type)
  if (!saved) throw notFoundError()
  return saved
}

/** The plain fields to store (without nulls), and the secrets encrypted for their place (null: to delete). */
function split(type: IntegrationType, config: Record<string, unknown>, organizationId: string) {
  const parsed = CONFIG_INPUTS[type].safeParse(config, { reportInput: true })
  if (!parsed.success)
    throw invalidInput(
      ...problemsOf(parsed.error).map((problem) => ({ ...problem, path: `config.${problem.path}` })),
    )
  const names = secretsOf(type)
  const fields: Record<string, Json> = {}
  const secrets: Record<string, string | null> = {}
  const address = addressOf(type, parsed.data)
  for (const [name, value] of Object.entries(parsed.data)) {
    const place = { organizationId, field: `${type}.${name}`, address }
    if (names.includes(name))
      secrets[name] = typeof value === 'string' ? encryptSecret(value, place, env().SECRETS_KEYS) : null
    else if (typeof value === 'string' || typeof value === 'number') fields[name] = value
  }
  return { fields, secrets }
}

async function refuseInside(baseUrl: Json | undefined): Promise<void> {
  if (typeof baseUrl !== 'string') return
  try {
    await checkReachable(baseUrl, env().ALLOW_LOOPBACK_UPSTREAMS)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw invalidInput({ path: 'config.base_url', code: error.reason, message: error.message })
  }
}

/** The required fields that were not sent: secrets may be stored already, the others are missing. */
function missing(type: IntegrationType, fields: Record<string, Json>): string[] {
  return INTEGRATIONS[type].required.flatMap((need) => {
    const choices: readonly string[] = typeof need === 'string' ? [need] : need
    return choices.some((name) => name in fields) ? [] : [choices.join(' or ')]
  })
}

/** 400 for fields that an enabled integration needs; `sms_from or whatsapp_from` means one of both. */
function incomplete(lacking: readonly string[]): HttpError {
  return new HttpError('INVALID_INPUT', {
    error: `config: missing ${lacking.join(', ')}`,
    issues: lacking.flatMap((names) => {
      const choices = names.split(' or ')
      const code = choices.length > 1 ? 'one_required' : 'required'
      return choices.map((name) => ({ path: `config.${name}`, code }) as const)
    }),
  })
}
