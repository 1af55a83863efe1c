import type reasons from '@/lib/i18n/es/client/message-reasons.json'

/** Why a message was not sent: a code with words in both languages, or Twilio's own code. */
export type MessageReason =
  | Exclude<keyof typeof reasons, 'none' | 'other' | 'provider_code' | 'template'>
  | `twilio_${number}`
