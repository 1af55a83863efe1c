/** The calls of calls-worker.ts. */
export const CALL_NAMES = [
  'the PMS',
  'the language model',
  'the language model, in pieces',
  'Twilio, one message',
  'Resend, one message',
] as const
export type CallName = (typeof CALL_NAMES)[number]
