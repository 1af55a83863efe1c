/** The kinds of push notices. */
export const PUSH_KINDS = ['vip_arrived', 'large_cancellation', 'failed_sync'] as const
export type PushKind = (typeof PUSH_KINDS)[number]
