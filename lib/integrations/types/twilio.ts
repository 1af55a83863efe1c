import type { Registration } from './registration'

const SERVICE = /^MG[0-9a-f]{32}$/
const NUMBER = '\\+[1-9]\\d{6,14}'
// Twilio's names have letters, digits, spaces and & + _ -; at least one letter, at most 11 in all.
const NAME = '(?=.*[A-Za-z])[A-Za-z0-9 &+_-]{1,11}'
const SHORT_CODE = '\\d{3,6}'

/** Whether the sender is the SID of a messaging service; a name may begin with MG too. */
export const isMessagingService = (sender: string): boolean => SERVICE.test(sender)

/** SMS and WhatsApp by Twilio. */
export const twilio = {
  fields: {
    account_sid: {
      kind: 'text',
      max: 64,
      hint: 'twilioAccount',
      problem: 'account_sid',
      form: { right: /^AC[0-9a-f]{32}$/i, error: 'must be AC and 32 hexadecimal digits' },
    },
    auth_token: {
      kind: 'secret',
      max: 1000,
      hint: 'twilioToken',
      problem: 'auth_token',
      form: { right: /^[0-9a-f]{32}$/i, error: 'must be 32 hexadecimal digits' },
    },
    sms_from: {
      kind: 'text',
      max: 40,
      hint: 'smsFrom',
      problem: 'sms_sender',
      form: {
        right: new RegExp(`^(${NUMBER}|${SHORT_CODE}|${NAME})$|${SERVICE.source}`),
        error: 'must be a number with + and its country, a name of at most 11 characters, or a service (MG…)',
      },
    },
    whatsapp_from: {
      kind: 'text',
      max: 40,
      hint: 'whatsappFrom',
      problem: 'whatsapp_sender',
      form: {
        right: new RegExp(`^(whatsapp:)?${NUMBER}$|${SERVICE.source}`),
        error: 'must be a number with + and its country, or a service (MG…)',
      },
    },
  },
  required: ['account_sid', 'auth_token', ['sms_from', 'whatsapp_from']],
  boundTo: 'account_sid',
  channels: { whatsapp: 'whatsapp_from', sms: 'sms_from' },
  webhook: {},
  mark: { letter: 'T', color: '#a03a3a' },
} as const satisfies Registration
