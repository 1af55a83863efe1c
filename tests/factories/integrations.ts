import { addressOf, encryptSecret } from '@/lib/integrations/secrets'
import type { Stack } from '../support/stack'

export const TWILIO = {
  account_sid: 'AC0123456789abcdef0123456789abcdef',
  auth_token: '70c1e5c1f0123456789abcdef0123456',
  sms_from: '+34900000001',
  whatsapp_from: '+34900000002',
}
export const RESEND = {
  api_key: 're_key5c1f_0123456789',
  webhook_secret: `whsec_${Buffer.from('resend-webhook-secret').toString('base64')}`,
  from_email: 'hola@grupo.example',
  from_name: 'Grupo Norte',
}
const SECRETS = new Set(['auth_token', 'api_key', 'webhook_secret'])

/** Stores an integration as the app does, secrets encrypted; made behind the API. */
export async function connect(
  stack: Stack,
  groupId: string,
  type: 'twilio' | 'resend',
  fields: Record<string, string>,
  enabled = true,
): Promise<void> {
  const address = addressOf(type, fields)
  const seal = (name: string, value: string) =>
    encryptSecret(value, { organizationId: groupId, field: `${type}.${name}`, address }, [
      stack.keys.secretsKey,
    ])
  const all = Object.entries(fields)
  const config = Object.fromEntries(all.filter(([name]) => !SECRETS.has(name)))
  const secrets = Object.fromEntries(
    all.filter(([name]) => SECRETS.has(name)).map(([name, value]) => [name, seal(name, value)]),
  )
  await stack.sql(
    `insert into public.integration_configs (organization_id, integration_type, is_enabled, config, secrets, address)
     values ($1, $2, $3, $4::jsonb, $5::jsonb, $6)
     on conflict (organization_id, integration_type) do update
     set is_enabled = excluded.is_enabled, config = excluded.config, secrets = excluded.secrets,
       address = excluded.address`,
    [groupId, type, enabled, JSON.stringify(config), JSON.stringify(secrets), address],
  )
}
