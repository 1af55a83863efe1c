import type { Registration } from './registration'

/** E-mail by Resend. */
export const resend = {
  fields: {
    api_key: {
      kind: 'secret',
      max: 1000,
      hint: 'resendKey',
      problem: 'resend_key',
      form: { right: /^re_[A-Za-z0-9_-]{12,}$/, error: 'must begin with re_ and be whole' },
    },
    from_email: { kind: 'email', hint: 'senderEmail' },
    from_name: { kind: 'text', max: 120 },
    webhook_secret: {
      kind: 'secret',
      max: 1000,
      hint: 'webhookSecret',
      problem: 'signing_secret',
      advanced: true,
      form: { right: /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, error: 'must begin with whsec_ and be whole' },
    },
  },
  required: ['api_key', 'from_email'],
  channels: { email: 'from_email' },
  webhook: { secret: 'webhook_secret' },
  mark: { letter: 'R', color: '#3b5b92' },
} as const satisfies Registration
