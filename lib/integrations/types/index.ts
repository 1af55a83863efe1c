import type { Enums } from '@/lib/db/database.types'
import type { Channel } from '@/lib/messaging/channels'
import { ai } from './ai'
import { pms } from './pms'
import { compactSender, type Field, type Registration } from './registration'
import { resend } from './resend'
import { twilio } from './twilio'

/** Every outside service an organization can set up. */
export type IntegrationType = Enums<'integration_type'>

/**
 * What each outside service is. Its checks, form, tests, secrets and the API's description follow from here; SQL has the
 * type integration_type and private.channel_providers. CONTRIBUTING.md has the recipe of a provider.
 */
export const INTEGRATIONS = { pms, ai, twilio, resend } as const satisfies Record<
  IntegrationType,
  Registration
>

/** In the order of the page. */
export const INTEGRATION_TYPES = Object.keys(INTEGRATIONS) as IntegrationType[]

/** Those that send messages. Of two for one channel the first that is on sends. */
export type SenderType = {
  [T in IntegrationType]: (typeof INTEGRATIONS)[T] extends { channels: object } ? T : never
}[IntegrationType]

export const registrationOf = (type: IntegrationType): Registration => INTEGRATIONS[type]

export const SENDER_TYPES = INTEGRATION_TYPES.filter((type): type is SenderType =>
  Boolean(registrationOf(type).channels),
)

/** Those that report to /api/webhooks/<type>. */
export type WebhookType = {
  [T in IntegrationType]: (typeof INTEGRATIONS)[T] extends { webhook: object } ? T : never
}[IntegrationType]

export const WEBHOOK_TYPES = INTEGRATION_TYPES.filter((type): type is WebhookType =>
  Boolean(registrationOf(type).webhook),
)

/** The fields of an integration by name, in the order of the form. */
export const fieldsOf = (type: IntegrationType): [string, Field][] =>
  Object.entries(INTEGRATIONS[type].fields)

/** The fields that are stored encrypted and never returned. */
export const secretsOf = (type: IntegrationType): string[] =>
  fieldsOf(type).flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : []))

/** The channels that an integration with these settings sends by. */
export const channelsOf = (type: IntegrationType, config: Readonly<Record<string, unknown>>): Channel[] =>
  Object.entries(registrationOf(type).channels ?? {}).flatMap(([channel, sender]) =>
    typeof config[sender] === 'string' && config[sender].trim() !== '' ? [channel as Channel] : [],
  )

/** What is wrong with the form of a value, in English; null: nothing, or its form is free. An empty value has no problem. */
export function formProblem(type: IntegrationType, name: string, value: string): string | null {
  const field = fieldsOf(type).find(([known]) => known === name)?.[1]
  const form = field && 'form' in field ? field.form : undefined
  return !form || value.trim() === '' || form.right.test(compactSender(value)) ? null : form.error
}
