import { createHmac } from 'node:crypto'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { connect, RESEND, TWILIO } from '../../factories/integrations'
import { signed } from '../../fakes/resend/server'
import { error, type Row } from '../row'
import type { World } from '../world'
import { afterwards, all } from './arrange'

const LINK = 'POST /api/u/{token}'
const FROM_TWILIO = 'POST /api/webhooks/twilio'
const FROM_RESEND = 'POST /api/webhooks/resend'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ONE_CLICK = 'List-Unsubscribe=One-Click'

const token = ({ group, stack }: World) =>
  unsubscribeToken(
    { organizationId: group.id, channel: 'email', address: 'ana@contrato.example' },
    stack.keys.secretsKey,
  )
const subscribed = afterwards(`delete from public.suppressions where address = 'ana@contrato.example'`)
const accounts = all(async ({ stack, group }) => {
  await connect(stack, group.id, 'twilio', TWILIO)
  await connect(stack, group.id, 'resend', RESEND)
  return undefined
}, afterwards(`delete from public.integration_configs where integration_type in ('twilio', 'resend')`))

const report = {
  AccountSid: TWILIO.account_sid,
  MessageSid: `SM${'0'.repeat(32)}`,
  MessageStatus: 'delivered',
}
/** As Twilio calls an app behind https://crm.example. */
const fromTwilio = (authToken: string) => {
  const fields = Object.entries(report).sort(([one], [other]) => (one < other ? -1 : 1))
  const text = `https://crm.example/api/webhooks/twilio${fields.flat().join('')}`
  return {
    ...FORM,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'crm.example',
    'x-twilio-signature': createHmac('sha1', authToken).update(text, 'utf8').digest('base64'),
  }
}
const reported = new URLSearchParams(report).toString()
const event = JSON.stringify({ type: 'email.opened', created_at: '2026-11-20T12:00:00Z', data: {} })

/** What anyone may call: the link to unsubscribe, and the providers’ webhooks. */
export const publicRows: Row[] = [
  {
    name: 'unsubscribes by one click of a mail program on another site',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: {
      operation: LINK,
      id: token,
      body: ONE_CLICK,
      headers: { ...FORM, origin: 'https://mail.example' },
    },
    arrange: subscribed,
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'unsubscribes by the page’s button',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: { operation: LINK, id: token, body: 'action=unsubscribe', headers: FORM },
    arrange: subscribed,
    answers: { status: 303, headers: { location: '/u/' } },
  },
  {
    name: 'saves what the page’s form has',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: {
      operation: LINK,
      id: token,
      body: 'action=preferences&channels=&channels=email&frequency=monthly&brands=&guest_language=ca',
      headers: FORM,
    },
    arrange: subscribed,
    answers: { status: 303, headers: { location: '/u/' } },
  },
  {
    name: 'refuses a brand that is not the group’s',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: {
      operation: LINK,
      id: token,
      body: 'action=preferences&brands=c0000000-0000-4000-8000-000000000009',
      headers: FORM,
    },
    answers: { status: 400, body: error('Malformed form') },
  },
  {
    name: 'finds nothing under an unknown token',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: { operation: LINK, id: 'nonsense', body: ONE_CLICK, headers: FORM },
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'refuses an unknown action',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: { operation: LINK, id: token, body: 'action=delete', headers: FORM },
    answers: { status: 400, body: error('Malformed form') },
  },
  {
    name: 'refuses a form above 64 KB',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: { operation: LINK, id: token, body: `x=${'x'.repeat(70_000)}`, headers: FORM },
    answers: { status: 413, body: error('Request body too large') },
  },
  {
    name: 'refuses a body that is no form',
    section: 'our own: u/{token}',
    as: 'visitor',
    request: { operation: LINK, id: token, body: {} },
    answers: { status: 415, body: error('Content-Type must be a form') },
  },
  {
    name: 'takes an event that Twilio signed',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: { operation: FROM_TWILIO, body: reported, headers: fromTwilio(TWILIO.auth_token) },
    arrange: accounts,
    answers: { status: 200, headers: { 'content-type': 'text/xml' } },
  },
  {
    name: 'refuses an event with another signature',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: { operation: FROM_TWILIO, body: reported, headers: fromTwilio('another-token') },
    arrange: accounts,
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses an event without a signature',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: { operation: FROM_TWILIO, body: reported, headers: FORM },
    arrange: accounts,
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses a body that is no form',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: {
      operation: FROM_TWILIO,
      body: report,
      headers: { ...fromTwilio(TWILIO.auth_token), 'content-type': 'application/json' },
    },
    arrange: accounts,
    answers: { status: 415, body: error('Content-Type must be a form') },
  },
  {
    name: 'takes an event that Resend signed',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: {
      operation: FROM_RESEND,
      body: event,
      headers: () => signed(event, RESEND.webhook_secret, new Date()),
    },
    arrange: accounts,
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses an event with another signature',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: {
      operation: FROM_RESEND,
      body: event,
      headers: () => signed(event, 'whsec_b3RoZXI=', new Date()),
    },
    arrange: accounts,
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses an event without a signature',
    section: 'our own: webhooks, signed',
    as: 'visitor',
    request: { operation: FROM_RESEND, body: event },
    arrange: accounts,
    answers: { status: 403, body: error('Forbidden') },
  },
]
