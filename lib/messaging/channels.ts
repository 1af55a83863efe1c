/** The channels of messages. A module of its own, because client components need nothing else of lib/messaging. */
export const CHANNELS = ['whatsapp', 'sms', 'email'] as const
export type Channel = (typeof CHANNELS)[number]
