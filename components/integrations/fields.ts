import type { Messages } from 'next-intl'
import type { IntegrationType } from '@/lib/integrations/schema'

type Texts = Messages['client']['integrations']

/** A field of an integration as the form shows it. */
export interface Field {
  name: keyof Texts['fields']
  kind: 'text' | 'secret' | 'number'
  hint?: keyof Texts['hints']
  /** Its own sentence for a value that is refused. */
  problem?: keyof Texts['problems']
}

/** The fields of each integration, in the order of the form. */
export const FIELDS: Record<IntegrationType, readonly Field[]> = {
  pms: [
    { name: 'base_url', kind: 'text', hint: 'pmsUrl', problem: 'url' },
    { name: 'api_key', kind: 'secret' },
    { name: 'venue_id', kind: 'text', hint: 'venue' },
  ],
  ai: [
    { name: 'api_key', kind: 'secret' },
    { name: 'model', kind: 'text', hint: 'model' },
    { name: 'temperature', kind: 'number', hint: 'temperature', problem: 'temperature' },
    { name: 'max_tokens', kind: 'number', hint: 'maxTokens', problem: 'maxTokens' },
    { name: 'base_url', kind: 'text', hint: 'aiUrl', problem: 'url' },
  ],
  twilio: [
    { name: 'account_sid', kind: 'text' },
    { name: 'auth_token', kind: 'secret' },
    { name: 'sms_from', kind: 'text', hint: 'smsFrom' },
    { name: 'whatsapp_from', kind: 'text', hint: 'whatsappFrom' },
  ],
  resend: [
    { name: 'api_key', kind: 'secret' },
    { name: 'from_email', kind: 'text', problem: 'email' },
    { name: 'from_name', kind: 'text' },
    { name: 'webhook_secret', kind: 'secret', hint: 'webhookSecret' },
  ],
}
