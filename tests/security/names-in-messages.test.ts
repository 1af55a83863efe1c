import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { createCustomer, noQuietHours } from '../factories/messaging'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let marketing: Client
let twilio: FakeTwilio
let resend: FakeResend

beforeAll(async () => {
  twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token })
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  app = await startApp({ TWILIO_BASE_URL: twilio.url, RESEND_BASE_URL: resend.url })
  group = await createGroup(app.stack, 'Grupo Nombres')
  marketing = await signedIn(await group.person('marketing'))
  await noQuietHours(app.stack)
  await app.stack.sql('update public.organizations set frequency_cap_days = 0')
  await connect(app.stack, group.id, 'twilio', TWILIO)
  await connect(app.stack, group.id, 'resend', RESEND)
})
beforeEach(async () => {
  await app.stack.sql(emptyTables('automations', 'messages', 'customers', 'rate_limits'))
  for (const fake of [twilio, resend]) fake.accepted.length = 0
})
afterAll(async () => {
  await Promise.all([app?.close(), twilio?.close(), resend?.close()])
})

const NAMES = [
  'https://evil.example',
  'evil.example/x',
  'www.evil.example',
  'evil.example\r\nBcc: todos@evil.example',
  '\u202eelpmaxe.live',
  'evil\u200b.example',
  'evil。example',
  '<a href="https://evil.example">Ana</a>',
  `https://evil.example/${'a'.repeat(170)}`,
]
const TEXT =
  'Hola {{ first_name | default: "amigo" }} ({{ last_name }}, {{ full_name }}): mira https://carta.example/menu'

async function send(channel: string, more: object = {}) {
  const automation = {
    ...{ type: 'vip_reward', name: channel, channel, status: 'active', criteria: { min_spend: 1 } },
    ...{ subject: '{{ first_name }}, ven', body: TEXT, ...more },
  }
  const made = await answer(await marketing.request('POST', '/api/automations', { body: automation }))
  expect(made.status).toBe(201)
  return answer(await marketing.request('POST', `/api/automations/${made.body.data.id}/run`))
}
const everyone = () =>
  Promise.all(
    NAMES.map((name, index) =>
      createCustomer(app.stack, group.id, {
        ...{ email: `guest${index}@example.com`, phone: `+3460000000${index}`, total_spend: 100 },
        ...{ first_name: name, last_name: name },
      }),
    ),
  )
const lure = /evil|elpmaxe|live|bcc/i

it('never makes a link of a name in an e-mail, and keeps the template’s own', async () => {
  await everyone()
  expect((await send('email')).body).toMatchObject({ sent: NAMES.length })
  expect(resend.accepted).toHaveLength(NAMES.length)
  for (const { email } of resend.accepted) {
    const { subject, text, html, headers } = email as unknown as Record<string, string>
    // Nor the random token of the unsubscribe link.
    const read = JSON.stringify({ subject, text, html, headers }).replaceAll(/\/u\/[\w-]+(\?m=[\w-]+)?/g, '')
    expect(read).not.toMatch(lure)
    expect(subject).toBe('Ven')
    expect(text).toContain('Hola amigo (): mira https://carta.example/menu')
    expect(html?.match(/href="[^"]*"/g)?.map((href) => href.slice(6, 26))).toEqual([
      'https://carta.exampl',
      'https://crm.example/',
    ])
  }
})

it('nor in an SMS, a WhatsApp or the variables of a template of Twilio’s', async () => {
  await everyone()
  await send('sms')
  await send('whatsapp', {
    content_sid: `HX${'0'.repeat(32)}`,
    content_variables: { '1': '{{ first_name }}', '2': '{{ full_name }}', '3': 'https://carta.example' },
  })
  expect(twilio.accepted).toHaveLength(2 * NAMES.length)
  for (const { form } of twilio.accepted) {
    // The random id in it may spell anything.
    expect(JSON.stringify({ ...form, StatusCallback: undefined })).not.toMatch(lure)
    expect(`${form.Body} ${form.ContentVariables}`).toContain('https://carta.example')
  }
})

it('writes to people by their names as they are', async () => {
  await createCustomer(app.stack, group.id, {
    ...{ email: 'ana@example.com', total_spend: 100 },
    ...{ first_name: 'Mª Ángeles', last_name: 'O’Brien-Núñez' },
  })
  await send('email')
  expect(resend.accepted[0]?.email.text).toContain(
    'Hola Mª Ángeles (O’Brien-Núñez, Mª Ángeles O’Brien-Núñez):',
  )
})
