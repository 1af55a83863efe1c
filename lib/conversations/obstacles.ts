import type { ErrorCode } from '@/lib/http/error-codes'

/** Why nothing can be written back: private.conversation_obstacle says the same. */
export const REPLY_OBSTACLES = ['opted_out', 'bounced', 'needs_template', 'no_provider'] as const
export type ReplyObstacle = (typeof REPLY_OBSTACLES)[number]

/** The error of a reply that meets the obstacle. */
export const OBSTACLE_ERRORS = {
  opted_out: 'OPTED_OUT',
  bounced: 'UNREACHABLE',
  needs_template: 'NEEDS_TEMPLATE',
  no_provider: 'NO_PROVIDER',
} as const satisfies Record<ReplyObstacle, ErrorCode>
