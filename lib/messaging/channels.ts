/** By what a message may go. Client components need only this of lib/messaging. */
export const CHANNELS = ['whatsapp', 'sms', 'email'] as const
export type Channel = (typeof CHANNELS)[number]
