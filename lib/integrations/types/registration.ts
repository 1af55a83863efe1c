import type { Messages } from 'next-intl'
import type { Channel } from '@/lib/messaging/channels'

type Texts = Messages['client']['integrations']

/** The form of a value in its provider's console. It is checked in the browser, and again by the API. */
interface Form {
  right: RegExp
  /** In English, for the API's answer; `problem` of the field is its text for people. */
  error: string
}

/** A field of an integration: what the API takes, and its place in the form. */
export type Field = {
  hint?: keyof Texts['hints']
  /** The text for a refused value. */
  problem?: keyof Texts['problems']
  /** Whether it is under "Advanced": the integration works without it. */
  advanced?: true
} & (
  | {
      /** One line; a secret is stored encrypted and never returned. */
      kind: 'text' | 'secret'
      /** Characters. */
      max: number
      form?: Form
    }
  | { kind: 'number'; min: number; max: number; whole?: true }
  /** Any https:// address outside of the own network. */
  | { kind: 'url' }
  | { kind: 'email' }
)

/** What an outside service is; its name, its texts and the labels of its fields are in lib/i18n (client/integrations.json). */
export interface Registration {
  /** In the order of the form. */
  fields: Readonly<Partial<Record<keyof Texts['fields'], Field>>>
  /** What it needs when it is on; a list means one of its fields. */
  required: readonly (string | readonly string[])[]
  /** The field with the account or address that the secrets belong to: another one clears them. Absent: ours is fixed. */
  boundTo?: keyof Texts['fields']
  /** The channels it can send by, each with the field that names the sender there; SQL has private.channel_providers. */
  channels?: Readonly<Partial<Record<Channel, string>>>
  /** Whether it reports to /api/webhooks/<type>; the secret it signs with, unless that is one it always has. */
  webhook?: { secret?: string }
  /** A letter on a colour, in place of a logo that we may not use. */
  mark: { letter: string; color: string }
}

/** A number without the spaces and marks that people write in it; other senders as they are. */
export const compactSender = (sender: string): string =>
  /^(whatsapp:)?\s*\+[\d\s().-]+$/i.test(sender) ? sender.replace(/[\s().-]/g, '') : sender.trim()
