import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enabledProviders } from '@/lib/integrations/services'
import { registrationOf, SENDER_TYPES } from '@/lib/integrations/types'
import type { OutboundMessage, Provider } from '@/lib/messaging/provider'
import { type ResendAccount, resendProvider } from '@/lib/messaging/resend'
import { type TwilioAccount, twilioProvider } from '@/lib/messaging/twilio'
import { createGroup, type Group, stackClient } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { email, sms, stillClock } from '../factories/outbound'
import type { Fault } from '../fakes/providers/faults'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { startApp, type TestApp } from '../support/app'

let twilio: FakeTwilio
let resend: FakeResend
let app: TestApp
let group: Group

beforeAll(async () => {
  twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token })
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  app = await startApp({
    APP_URL: 'https://crm.example/',
    TWILIO_BASE_URL: twilio.url,
    RESEND_BASE_URL: resend.url,
  })
  group = await createGroup(app.stack, 'Grupo Envío')
})
afterEach(async () => {
  for (const fake of [twilio, resend]) {
    fake.setFault(null)
    fake.accepted.length = 0
    fake.requests.length = 0
  }
})
afterAll(async () => {
  await Promise.all([app?.close(), twilio?.close(), resend?.close()])
})

const overTwilio = (more: Partial<TwilioAccount> = {}) =>
  twilioProvider({
    accountSid: TWILIO.account_sid,
    authToken: TWILIO.auth_token,
    from: TWILIO.sms_from,
    baseUrl: twilio.url,
    statusCallback: null,
    clock: stillClock().clock,
    ...more,
  })
const overResend = (more: Partial<ResendAccount> = {}) =>
  resendProvider({
    apiKey: RESEND.api_key,
    fromEmail: RESEND.from_email,
    fromName: RESEND.from_name,
    baseUrl: resend.url,
    clock: stillClock().clock,
    ...more,
  })

/** Only what hangs is given up after a second and a half, so that the test does not take ten. */
const patience = ({ kind }: Fault) => (kind === 'hang' ? { timeoutMs: 1500 } : {})
const PAUSE = 21_600
const rejected = (code: number, status = 400): Fault => ({ kind: 'reject', status, code })

describe('an SMS by Twilio', () => {
  it('arrives as Twilio wants it, and its SID comes back', async () => {
    const message = sms()
    const provider = overTwilio({ statusCallback: 'https://crm.example/api/webhooks/twilio' })
    const outcomes = await provider.send([message])
    expect(twilio.accepted.map(({ form }) => form)).toEqual([
      {
        To: '+34600000001',
        From: '+34900000001',
        Body: 'Hola, Ñoño & co',
        StatusCallback: `https://crm.example/api/webhooks/twilio?message=${message.id}`,
      },
    ])
    expect(outcomes).toEqual([{ kind: 'accepted', providerId: twilio.accepted[0]?.sid }])
    expect(twilio.requests[0]?.path).toBe(`/2010-04-01/Accounts/${TWILIO.account_sid}/Messages.json`)
  })

  it('goes by a messaging service when the sender is one', async () => {
    await overTwilio({ from: 'MG00000000000000000000000000000001' }).send([sms()])
    expect(twilio.accepted[0]?.form).toEqual({
      To: '+34600000001',
      MessagingServiceSid: 'MG00000000000000000000000000000001',
      Body: 'Hola, Ñoño & co',
    })
  })

  it('goes by a name that only begins like a service', async () => {
    await overTwilio({ from: 'MGrill' }).send([sms()])
    expect(twilio.accepted[0]?.form).toEqual({
      To: '+34600000001',
      From: 'MGrill',
      Body: 'Hola, Ñoño & co',
    })
  })

  it('by WhatsApp is text or a template', async () => {
    const template = { content_sid: 'HX01', content_variables: { '1': 'Ana', '2': '«Sol»' } }
    const to = { channel: 'whatsapp' as const }
    await overTwilio().send([sms(to), sms({ ...to, content: template })])
    const numbers = { To: 'whatsapp:+34600000001', From: 'whatsapp:+34900000001' }
    expect(twilio.accepted.map(({ form }) => form)).toEqual([
      { ...numbers, Body: 'Hola, Ñoño & co' },
      { ...numbers, ContentSid: 'HX01', ContentVariables: '{"1":"Ana","2":"«Sol»"}' },
    ])
  })

  it('keeps a batch in order, and one bad number to itself', async () => {
    const batch = ['+34600000001', 'nadie', '+34600000003'].map((recipient) => sms({ recipient }))
    const outcomes = await overTwilio().send(batch)
    const sidOf = (to: string) => twilio.accepted.find(({ form }) => form.To === to)?.sid
    expect(outcomes).toEqual([
      { kind: 'accepted', providerId: sidOf('+34600000001') },
      { kind: 'permanent', reason: 'invalid_number' },
      { kind: 'accepted', providerId: sidOf('+34600000003') },
    ])
  })

  it.each([
    [21211, 'invalid_number'],
    [21614, 'invalid_number'],
    [21610, 'unsubscribed'],
    [21612, 'unreachable'],
    [63016, 'outside_window'],
    [21656, 'template_rejected'],
    [21617, 'content_rejected'],
    [12345, 'twilio_12345'],
  ])('refused with %i is lost for good: %s', async (code, reason) => {
    twilio.setFault(rejected(code))
    expect(await overTwilio().send([sms()])).toEqual([{ kind: 'permanent', reason }])
  })

  it.each<[string, Fault, object]>([
    [
      '429',
      { kind: 'rate_limit', retryAfter: 120 },
      { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds: 120 },
    ],
    ['a full queue', rejected(21611), { kind: 'retryable', reason: 'provider_rate_limit' }],
    [
      'a wrong sender',
      rejected(21606),
      { kind: 'retryable', reason: 'provider_config', afterSeconds: PAUSE },
    ],
    [
      'wrong credentials',
      rejected(20003, 401),
      { kind: 'retryable', reason: 'provider_auth', afterSeconds: PAUSE },
    ],
  ])('meets %s: surely unsent, and the rest of the batch is not even tried', async (_, fault, outcome) => {
    twilio.setFault(fault)
    const batch = Array.from({ length: 20 }, () => sms())
    expect(await overTwilio().send(batch)).toEqual(batch.map(() => outcome))
    expect(twilio.requests.length).toBeLessThanOrEqual(5)
    expect(twilio.accepted).toEqual([])
  })

  it.each<[string, Fault, string, number]>([
    ['hangs', { kind: 'hang', times: 1 }, 'provider_timeout', 1],
    ['loses the connection', { kind: 'reset', times: 1 }, 'provider_connection_lost', 1],
    ['fails after accepting', { kind: 'error_after', times: 1 }, 'provider_error', 1],
    ['fails before accepting', { kind: 'error_before', times: 1 }, 'provider_error', 0],
    ['answers nonsense', { kind: 'garbage', times: 1 }, 'provider_error', 1],
  ])('to a Twilio that %s is ambiguous, and never sent twice', async (_, fault, reason, accepted) => {
    twilio.setFault(fault)
    expect(await overTwilio(patience(fault)).send([sms()])).toEqual([{ kind: 'ambiguous', reason }])
    expect(twilio.requests).toHaveLength(1)
    expect(twilio.accepted).toHaveLength(accepted)
  })

  it('behind an ambiguous one is held back', async () => {
    twilio.setFault({ kind: 'error_before' })
    const batch = Array.from({ length: 20 }, () => sms())
    const outcomes = await overTwilio().send(batch)
    const tried = twilio.requests.length
    expect(tried).toBeLessThanOrEqual(5)
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
      ...Array.from({ length: tried }, () => 'ambiguous'),
      ...Array.from({ length: 20 - tried }, () => 'retryable'),
    ])
  })

  it('waits for a provider that asks for a second, as long as the batch has time', async () => {
    const { clock, waits } = stillClock()
    twilio.setFault({ kind: 'rate_limit', retryAfter: 2, times: 3 })
    expect(await overTwilio({ clock }).send([sms()])).toEqual([
      { kind: 'accepted', providerId: twilio.accepted[0]?.sid },
    ])
    expect(waits).toEqual([2000, 2000, 2000])
    twilio.setFault({ kind: 'rate_limit', retryAfter: 5 })
    expect(await overTwilio({ clock }).send([sms()])).toMatchObject([{ reason: 'provider_rate_limit' }])
    expect(waits.length).toBeLessThan(30)
  })

  it('to a slow Twilio arrives', async () => {
    twilio.setFault({ kind: 'slow', ms: 50 })
    expect(await overTwilio().send([sms()])).toMatchObject([{ kind: 'accepted' }])
  })

  it('to a Twilio that cannot be reached is surely unsent', async () => {
    const unsent = [{ kind: 'retryable', reason: 'provider_unreachable' }]
    await twilio.refuse()
    try {
      expect(await overTwilio().send([sms()])).toEqual(unsent)
    } finally {
      await twilio.listen()
    }
    // No TLS there: the handshake fails, and with it nothing has left.
    const tls = twilio.url.replace('http:', 'https:')
    expect(await overTwilio({ baseUrl: tls }).send([sms()])).toEqual(unsent)
    expect(await overTwilio({ baseUrl: 'https://twilio.invalid' }).send([sms()])).toEqual(unsent)
    expect(twilio.requests).toEqual([])
  })

  it('with an account that is none is not tried', async () => {
    expect(await overTwilio({ accountSid: 'SK1' }).send([sms(), sms()])).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: 'retryable',
        reason: 'provider_config',
        afterSeconds: PAUSE,
      })),
    )
  })
})

describe('an e-mail by Resend', () => {
  it('arrives as Resend wants it, under its key', async () => {
    const headers = {
      'List-Unsubscribe': '<https://crm.example/u/abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    const content = {
      subject: 'Feliz día',
      body: 'Hola <Ana>,\n\nmira https://norte.example/carta?a=1&b=2.',
      headers,
    }
    const message = email({ content })
    const outcomes = await overResend({ fromName: 'Grupo "Norte", S.L.' }).send([message])
    expect(resend.accepted.map(({ key, email: sent }) => ({ key, ...sent }))).toEqual([
      {
        key: `message-${message.id}`,
        from: '"Grupo \\"Norte\\", S.L." <hola@grupo.example>',
        to: 'ana@example.com',
        subject: 'Feliz día',
        text: expect.stringMatching(
          /^Hola <Ana>,.+Darse de baja · Unsubscribe: https:\/\/crm.example\/u\/abc\n$/s,
        ),
        html: expect.stringContaining(
          '<a class="link" href="https://norte.example/carta?a=1&amp;b=2" style="color:#a94a34;text-decoration:underline">https://norte.example/carta?a=1&amp;b=2</a>.</p>',
        ),
        headers,
        tags: [{ name: 'message_id', value: message.id }],
      },
    ])
    const html = String(resend.accepted[0]?.email.html)
    for (const part of [
      '>Hola &lt;Ana&gt;,<br><br>mira ',
      '>Grupo &quot;Norte&quot;, S.L.</p>',
      'href="https://crm.example/u/abc"',
    ])
      expect(html).toContain(part)
    expect(html).not.toContain('%%')
    expect(outcomes).toEqual([{ kind: 'accepted', providerId: resend.accepted[0]?.id }])
  })

  it('sends what shares a key in one request, and singles out a bad address', async () => {
    const batch = ['ana@example.com', 'nadie', 'bea@example.com'].map((recipient) =>
      email({ recipient, idempotencyKey: 'batch-1' }),
    )
    // In whatever order it is claimed again, the request is the same.
    const outcomes = await overResend().send(batch.toReversed())
    const idOf = (to: string) => resend.accepted.find((one) => one.email.to === to)?.id
    const expected = [
      { kind: 'accepted', providerId: idOf('bea@example.com') },
      { kind: 'permanent', reason: 'invalid_address' },
      { kind: 'accepted', providerId: idOf('ana@example.com') },
    ]
    expect(outcomes).toEqual(expected)
    expect(resend.requests.map(({ path }) => path)).toEqual(['/emails/batch'])
    expect(await overResend().send(batch)).toEqual(expected.toReversed())
    expect(resend.accepted).toHaveLength(2)
  })

  it.each<[string, Fault]>([
    ['hangs', { kind: 'hang', times: 1 }],
    ['loses the connection', { kind: 'reset', times: 1 }],
    ['fails after accepting', { kind: 'error_after', times: 1 }],
    ['fails before accepting', { kind: 'error_before', times: 1 }],
  ])('to a Resend that %s is ambiguous, and goes out once when it is tried again', async (_, fault) => {
    resend.setFault(fault)
    const message = email()
    expect(await overResend(patience(fault)).send([message])).toMatchObject([{ kind: 'ambiguous' }])
    const again = await overResend().send([message])
    expect(again).toEqual([{ kind: 'accepted', providerId: resend.accepted[0]?.id }])
    expect(resend.accepted).toHaveLength(1)
  })

  it('under a used key with other content stays ambiguous', async () => {
    const message = email()
    await overResend().send([message])
    const other = { ...message, content: { subject: 'Hola', body: 'Otra cosa' } }
    expect(await overResend().send([other])).toEqual([{ kind: 'ambiguous', reason: 'idempotency_conflict' }])
    expect(resend.accepted).toHaveLength(1)
  })

  it.each<[string, Fault, object]>([
    [
      '429',
      { kind: 'rate_limit', retryAfter: 60 },
      { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds: 60 },
    ],
    [
      'a spent quota',
      { kind: 'reject', status: 429, code: 'daily_quota_exceeded' },
      { kind: 'retryable', reason: 'provider_quota', afterSeconds: PAUSE },
    ],
    [
      'a wrong key',
      { kind: 'reject', status: 403, code: 'invalid_api_key' },
      { kind: 'retryable', reason: 'provider_auth', afterSeconds: PAUSE },
    ],
    [
      'a wrong sender',
      { kind: 'reject', status: 422, code: 'validation_error', message: 'Invalid `from` field.' },
      { kind: 'retryable', reason: 'provider_config', afterSeconds: PAUSE },
    ],
  ])('meets %s: surely unsent, and the rest is not even tried', async (_, fault, outcome) => {
    resend.setFault(fault)
    const batch = Array.from({ length: 10 }, () => email())
    expect(await overResend().send(batch)).toEqual(batch.map(() => outcome))
    expect(resend.requests.length).toBeLessThanOrEqual(2)
  })

  it('without a subject or a recipient is refused for good', async () => {
    const batch = [email({ content: { body: 'x' } }), email({ recipient: 'nadie' })]
    expect(await overResend().send(batch)).toEqual([
      { kind: 'permanent', reason: 'content_rejected' },
      { kind: 'permanent', reason: 'invalid_address' },
    ])
  })

  it('to a Resend that cannot be reached is surely unsent', async () => {
    await resend.refuse()
    try {
      expect(await overResend().send([email()])).toEqual([
        { kind: 'retryable', reason: 'provider_unreachable' },
      ])
    } finally {
      await resend.listen()
    }
  })
})

describe('the configured providers', () => {
  const providers = () => enabledProviders(stackClient(app.stack, 'service'), group.id)
  const send = (provider: Provider | undefined, message: OutboundMessage) => provider?.send([message])

  it('are none without integrations, nor with disabled ones', async () => {
    expect(await providers()).toEqual({})
    await connect(app.stack, group.id, 'twilio', TWILIO, false)
    await connect(app.stack, group.id, 'resend', RESEND, false)
    expect(await providers()).toEqual({})
  })

  it('send with the decrypted credentials, and ask for reports', async () => {
    await connect(app.stack, group.id, 'twilio', TWILIO)
    await connect(app.stack, group.id, 'resend', RESEND)
    const { sms: bySms, whatsapp, email: byEmail } = await providers()
    const message = sms({ channel: 'whatsapp' })
    expect(await send(bySms, sms())).toMatchObject([{ kind: 'accepted' }])
    expect(await send(whatsapp, message)).toMatchObject([{ kind: 'accepted' }])
    expect(await send(byEmail, email())).toMatchObject([{ kind: 'accepted' }])
    expect(twilio.accepted.map(({ form }) => form.From)).toEqual(['+34900000001', 'whatsapp:+34900000002'])
    expect(twilio.accepted[1]?.form.StatusCallback).toBe(
      `https://crm.example/api/webhooks/twilio?message=${message.id}`,
    )
    expect(resend.accepted[0]?.email.from).toBe('Grupo Norte <hola@grupo.example>')
  })

  it('are those that SQL knows for each channel', async () => {
    const known = await app.stack.sql(
      'select channel, provider::text as provider, sender from private.channel_providers()',
    )
    const registered = SENDER_TYPES.flatMap((provider) =>
      Object.entries(registrationOf(provider).channels ?? {}).map(([channel, sender]) => ({
        channel,
        provider,
        sender,
      })),
    )
    expect(known).toEqual(registered)
  })

  it('leave out a channel without a sender, and belong to one organization', async () => {
    await connect(app.stack, group.id, 'twilio', { ...TWILIO, sms_from: '' })
    expect(Object.keys(await providers()).sort()).toEqual(['email', 'whatsapp'])
    const other = await createGroup(app.stack, 'Otro')
    expect(await enabledProviders(stackClient(app.stack, 'service'), other.id)).toEqual({})
  })
})

describe('secrets and personal data', () => {
  it('are in no outcome, whatever the provider says', async () => {
    const words = `${TWILIO.auth_token} ${RESEND.api_key} +34600000001 ana@example.com \`to\``
    const outcomes = []
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500]) {
      twilio.setFault({ kind: 'reject', status, code: 99, message: words })
      resend.setFault({ kind: 'reject', status, code: words, message: words })
      outcomes.push(...(await overTwilio().send([sms()])), ...(await overResend().send([email()])))
    }
    expect(outcomes).toHaveLength(16)
    expect(JSON.stringify(outcomes)).not.toMatch(/70c1e5c1f|re_key|600000001|ana@/)
    for (const outcome of outcomes) if ('reason' in outcome) expect(outcome.reason).toMatch(/^[a-z_0-9]+$/)
  })
})
