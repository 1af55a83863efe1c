import type { IntegrationType } from './schema'

// What providers write in their consoles. It is checked as somebody types and by the API: a slip of the hand is told at
// its field, before anything is asked.

/** What is wrong with the form of a value; a text for people (`client.integrations.problems`) has the same name. */
type FormProblem =
  | 'account_sid'
  | 'auth_token'
  | 'sms_sender'
  | 'whatsapp_sender'
  | 'resend_key'
  | 'signing_secret'

interface Form {
  problem: FormProblem
  right: RegExp
  /** In English, for the API's answer. */
  error: string
}

const SERVICE = /^MG[0-9a-f]{32}$/
const NUMBER = '\\+[1-9]\\d{6,14}'
// Twilio's names have letters, digits, spaces and & + _ -; at least one letter, at most 11 in all.
const NAME = '(?=.*[A-Za-z])[A-Za-z0-9 &+_-]{1,11}'
const SHORT_CODE = '\\d{3,6}'

const FORMS: Record<string, Form> = {
  'twilio.account_sid': {
    problem: 'account_sid',
    right: /^AC[0-9a-f]{32}$/i,
    error: 'must be AC and 32 hexadecimal digits',
  },
  'twilio.auth_token': {
    problem: 'auth_token',
    right: /^[0-9a-f]{32}$/i,
    error: 'must be 32 hexadecimal digits',
  },
  'twilio.sms_from': {
    problem: 'sms_sender',
    right: new RegExp(`^(${NUMBER}|${SHORT_CODE}|${NAME})$|${SERVICE.source}`),
    error: 'must be a number with + and its country, a name of at most 11 characters, or a service (MG…)',
  },
  'twilio.whatsapp_from': {
    problem: 'whatsapp_sender',
    right: new RegExp(`^(whatsapp:)?${NUMBER}$|${SERVICE.source}`),
    error: 'must be a number with + and its country, or a service (MG…)',
  },
  'resend.api_key': {
    problem: 'resend_key',
    right: /^re_[A-Za-z0-9_-]{12,}$/,
    error: 'must begin with re_ and be whole',
  },
  'resend.webhook_secret': {
    problem: 'signing_secret',
    right: /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/,
    error: 'must begin with whsec_ and be whole',
  },
}

/** Whether the sender is the SID of a messaging service; a name may begin with MG too. */
export const isMessagingService = (sender: string): boolean => SERVICE.test(sender)

/** A number without the spaces and marks that people write in it; other senders as they are. */
export const compactSender = (sender: string): string =>
  /^(whatsapp:)?\s*\+[\d\s().-]+$/i.test(sender) ? sender.replace(/[\s().-]/g, '') : sender.trim()

/** The problem of a value's form; null when there is none, and for fields whose form is free. An empty value has none. */
export function formProblem(
  type: IntegrationType,
  name: string,
  value: string,
): Pick<Form, 'problem' | 'error'> | null {
  const form = FORMS[`${type}.${name}`]
  if (!form || value.trim() === '' || form.right.test(compactSender(value))) return null
  return form
}
