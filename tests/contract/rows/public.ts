import { createHmac } from 'node:crypto'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { connect, RESEND, TWILIO } from '../../factories/integrations'
import { signed } from '../../fakes/resend/server'
import { error, type Row } from '../row'
import type { World } from '../world'
import { afterwards, all } from './arrange'
import { cases } from './cases'

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

const link = cases('decisions §5, §8: u/{token}', 'nobody')
const webhook = cases('decisions §8: webhooks, signed', 'nobody')

/** What anyone may call: the link to unsubscribe, and the providers’ webhooks. */
export const publicRows: Row[] = [
  link(
    'a mail program unsubscribes with one click, from another site',
    LINK,
    200,
    { success: true },
    {
      id: token,
      json: ONE_CLICK,
      sent: { ...FORM, origin: 'https://mail.example' },
      arrange: subscribed,
    },
  ),
  link('the page’s button unsubscribes', LINK, 303, undefined, {
    id: token,
    json: 'action=unsubscribe',
    sent: FORM,
    headers: { location: '/u/' },
    arrange: subscribed,
  }),
  link('the token is none of ours', LINK, 404, error('Not found'), {
    id: 'nonsense',
    json: ONE_CLICK,
    sent: FORM,
  }),
  link('the action is unknown', LINK, 400, error('Malformed form'), {
    id: token,
    json: 'action=delete',
    sent: FORM,
  }),
  link('the form is above 64 KB', LINK, 413, error('Request body too large'), {
    id: token,
    json: `x=${'x'.repeat(70_000)}`,
    sent: FORM,
  }),
  link('it is no form', LINK, 415, error('Content-Type must be a form'), { id: token, json: {} }),
  webhook('Twilio signed it', FROM_TWILIO, 200, undefined, {
    json: reported,
    sent: fromTwilio(TWILIO.auth_token),
    headers: { 'content-type': 'text/xml' },
    arrange: accounts,
  }),
  webhook('somebody else signed it', FROM_TWILIO, 403, error('Forbidden'), {
    json: reported,
    sent: fromTwilio('another-token'),
    arrange: accounts,
  }),
  webhook('nobody signed it', FROM_TWILIO, 403, error('Forbidden'), {
    json: reported,
    sent: FORM,
    arrange: accounts,
  }),
  webhook('it is no form', FROM_TWILIO, 415, error('Content-Type must be a form'), {
    json: report,
    sent: { ...fromTwilio(TWILIO.auth_token), 'content-type': 'application/json' },
    arrange: accounts,
  }),
  webhook(
    'Resend signed it',
    FROM_RESEND,
    200,
    { success: true },
    {
      json: event,
      sent: () => signed(event, RESEND.webhook_secret, new Date()),
      arrange: accounts,
    },
  ),
  webhook('somebody else signed it', FROM_RESEND, 403, error('Forbidden'), {
    json: event,
    sent: () => signed(event, 'whsec_b3RoZXI=', new Date()),
    arrange: accounts,
  }),
  webhook('nobody signed it', FROM_RESEND, 403, error('Forbidden'), { json: event, arrange: accounts }),
]
