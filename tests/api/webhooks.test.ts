import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { enabledProviders } from '@/lib/integrations/services'
import type { Channel } from '@/lib/messaging/schema'
import { publicUrl } from '@/lib/webhooks/twilio'
import { createGroup, type Group, stackClient } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import type { Deliver } from '../fakes/providers/server'
import { type FakeResend, signed, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer } from '../support/sign-in'

const PUBLIC = 'https://crm.example'
const TWILIO_URL = `${PUBLIC}/api/webhooks/twilio`
const RESEND_URL = `${PUBLIC}/api/webhooks/resend`

let app: TestApp
let group: Group
let other: Group
let twilio: FakeTwilio
let resend: FakeResend

// What the providers call at the public address reaches the handlers, as through a proxy.
const deliver: Deliver = (url, headers, body) =>
  app.client().request('POST', url.replace(PUBLIC, ''), { headers, body })

beforeAll(async () => {
  twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token, deliver })
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret, deliver })
  app = await startApp({ APP_URL: PUBLIC, TWILIO_BASE_URL: twilio.url, RESEND_BASE_URL: resend.url })
  group = await createGroup(app.stack, 'Grupo Avisos')
  other = await createGroup(app.stack, 'Otro Grupo')
  await connect(app.stack, group.id, 'twilio', TWILIO)
  await connect(app.stack, group.id, 'resend', RESEND)
  // Another account in the same house: its signatures count for its own organization only.
  await connect(app.stack, other.id, 'twilio', {
    ...TWILIO,
    account_sid: 'ACffffffffffffffffffffffffffffffff',
    auth_token: 'other-token',
  })
  await connect(app.stack, other.id, 'resend', { ...RESEND, webhook_secret: 'whsec_b3RoZXI=' })
})
afterEach(async () => {
  await app.stack.sql(emptyTables('messages', 'suppressions', 'whatsapp_windows', 'webhook_receipts'))
})
afterAll(async () => {
  await Promise.all([app?.close(), twilio?.close(), resend?.close()])
})

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const RECIPIENTS: Record<Channel, string> = {
  sms: '+34600000001',
  whatsapp: '+34600000001',
  email: 'ana@example.com',
}

/** Sends a message as the engine would and records `status`; `lost`: without what the provider answered. */
async function send(channel: Channel, status = 'sent', lost = false) {
  const recipient = RECIPIENTS[channel]
  const [row] = await sql<{ id: string }>(
    `insert into public.messages (organization_id, kind, purpose, channel, recipient, status, attempts, dedupe_key)
     values ($1, 'marketing', 'post_visit', $2, $3, $4, 1, gen_random_uuid()::text) returning id::text`,
    [group.id, channel, recipient, status],
  )
  const id = row?.id ?? ''
  const provider = (await enabledProviders(stackClient(app.stack, 'service'), group.id))[channel]
  const content = { subject: 'Hola', body: 'Hola' }
  const [outcome] =
    (await provider?.send([{ id, channel, recipient, content, idempotencyKey: `message-${id}` }])) ?? []
  if (outcome?.kind !== 'accepted') throw new Error('The fake did not accept')
  if (!lost)
    await sql('update public.messages set provider = $2, provider_id = $3 where id = $1::uuid', [
      id,
      provider?.name,
      outcome.providerId,
    ])
  return { id, providerId: outcome.providerId }
}

const statuses = async () =>
  (await sql<{ status: string; reason: string | null }>('select status, reason from public.messages')).map(
    ({ status, reason }) => reason ?? status,
  )
const suppressions = async () =>
  (
    await sql<{ channel: string; address: string; reason: string; organization_id: string }>(
      'select channel, address, reason, organization_id::text from public.suppressions order by channel, address',
    )
  ).map(({ channel, address, reason, organization_id }) => {
    expect(organization_id).toBe(group.id)
    return `${channel} ${address} ${reason}`
  })
const rows = () => sql('select *, xmin::text as version from public.messages order by id')

const FORBIDDEN = refusal('FORBIDDEN')
const EMPTY_TWIML = { status: 200, type: 'text/xml', text: '<Response/>' }
const twiml = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  text: await response.text(),
})

describe('a delivery report of Twilio', () => {
  it.each([
    ['sent', undefined, 'sent'],
    ['delivered', undefined, 'delivered'],
    ['read', undefined, 'delivered'],
    ['undelivered', 30003, 'unreachable'],
    ['failed', 63016, 'outside_window'],
    ['failed', undefined, 'rejected'],
  ])('%s (%s) makes a sent message %s', async (status, errorCode, expected) => {
    const { providerId } = await send('sms')
    expect(await twiml(await twilio.report(providerId, { status, errorCode }))).toEqual(EMPTY_TWIML)
    expect(await statuses()).toEqual([expected])
  })

  it('of a number that does not exist ends its messages; one that is only switched off may be tried again', async () => {
    const reached = await send('sms')
    await twilio.report(reached.providerId, { status: 'undelivered', errorCode: 30003 })
    expect(await suppressions()).toEqual([])
    const { providerId } = await send('sms')
    await twilio.report(providerId, { status: 'undelivered', errorCode: 30005 })
    expect(await suppressions()).toEqual(['sms +34600000001 bounce'])
  })

  it('resolves a message whose sending was never answered', async () => {
    const { id, providerId } = await send('whatsapp', 'unknown', true)
    await twilio.report(providerId, { status: 'queued' })
    expect(await sql('select status, provider, provider_id, id::text from public.messages')).toEqual([
      { status: 'sent', provider: 'twilio', provider_id: providerId, id },
    ])
    await twilio.report(providerId, { status: 'delivered' })
    expect(await statuses()).toEqual(['delivered'])
  })

  it('twice, late or in another order changes nothing', async () => {
    const { providerId } = await send('sms')
    await twilio.report(providerId, { status: 'delivered' })
    const before = await rows()
    for (const status of ['delivered', 'sent', 'failed', 'nonsense'])
      expect((await twilio.report(providerId, { status })).status).toBe(200)
    expect(await rows()).toEqual(before)
  })

  it('about a message that is not ours is taken quietly', async () => {
    const { providerId } = await send('sms')
    await sql(emptyTables('messages'))
    const url = `${TWILIO_URL}?message=nonsense`
    expect(await twiml(await twilio.report(providerId, { status: 'delivered', url }))).toEqual(EMPTY_TWIML)
  })
})

describe('what is not signed by Twilio', () => {
  const PATH = '/api/webhooks/twilio'
  const form = (sid: string, fields: Record<string, string> = {}) =>
    new URLSearchParams({
      AccountSid: TWILIO.account_sid,
      MessageSid: sid,
      MessageStatus: 'failed',
      ...fields,
    }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }

  it('is refused and changes nothing', async () => {
    const { providerId } = await send('sms')
    const before = await rows()
    // Signed for another account, by another token, for another address, over another form.
    const otherAccount = await startFakeTwilio({ accountSid: 'AC1', authToken: TWILIO.auth_token, deliver })
    const otherToken = await startFakeTwilio({
      accountSid: TWILIO.account_sid,
      authToken: 'other-token',
      deliver,
    })
    const attempts = [
      deliver(TWILIO_URL, type, form(providerId)),
      deliver(TWILIO_URL, { ...type, 'x-twilio-signature': '' }, form(providerId)),
      deliver(TWILIO_URL, { ...type, 'x-twilio-signature': 'AAAA' }, form(providerId)),
      deliver(TWILIO_URL, { ...type, 'x-twilio-signature': 'AAAA' }, ''),
      ...[otherAccount, otherToken].map((fake) =>
        fake.inbound({ from: '+34600000001', to: '+34900000001', body: 'BAJA', url: TWILIO_URL }),
      ),
      twilio.inbound({
        from: '+34600000001',
        to: '+34900000001',
        body: 'BAJA',
        url: 'https://evil.example/api/webhooks/twilio'.replace('https://evil.example', `${PUBLIC}/x/..`),
      }),
    ]
    for (const attempt of attempts) expect(await answer(await attempt)).toEqual(FORBIDDEN)
    await Promise.all([otherAccount.close(), otherToken.close()])
    expect(await rows()).toEqual(before)
    expect(await suppressions()).toEqual([])
  })

  it('or no form, or too large, is refused with its own status', async () => {
    const request = (headers: Record<string, string>, body: string) =>
      app.client().request('POST', PATH, { headers: { 'x-twilio-signature': 'AAAA', ...headers }, body })
    expect((await request({ 'content-type': 'application/json' }, '{}')).status).toBe(415)
    expect((await request(type, `Body=${'x'.repeat(70_000)}`)).status).toBe(413)
    expect((await request({ 'content-type': 'multipart/form-data' }, 'x')).status).toBe(400)
  })

  it('is refused while the integration is disabled', async () => {
    const { providerId } = await send('sms')
    await connect(app.stack, group.id, 'twilio', TWILIO, false)
    expect(await answer(await twilio.report(providerId, { status: 'failed' }))).toEqual(FORBIDDEN)
    await connect(app.stack, group.id, 'twilio', TWILIO)
    expect(await statuses()).toEqual(['sent'])
  })

  it('reports on no message of another organization', async () => {
    const { id } = await send('sms', 'unknown', true)
    const theirs = await startFakeTwilio({
      accountSid: 'ACffffffffffffffffffffffffffffffff',
      authToken: 'other-token',
      deliver,
    })
    theirs.accepted.push({ sid: `SM${'0'.repeat(32)}`, form: { To: '+34600000001' } })
    const url = `${TWILIO_URL}?message=${id}`
    const response = await theirs.report(`SM${'0'.repeat(32)}`, { status: 'delivered', url })
    expect(response.status).toBe(200)
    await theirs.close()
    expect(await statuses()).toEqual(['unknown'])
  })
})

it('the signed address is the public one', () => {
  const request = (headers: Record<string, string> = {}) =>
    new Request('http://10.0.0.7:3000/api/webhooks/twilio?message=1', { headers })
  const forwarded = { 'x-forwarded-proto': 'https,http', 'x-forwarded-host': 'crm.example, inner' }
  const PATH = '/api/webhooks/twilio?message=1'
  expect(publicUrl(request(forwarded), 'https://set.example')).toBe(`https://set.example${PATH}`)
  expect(publicUrl(request(forwarded), '')).toBe(`https://crm.example${PATH}`)
  expect(publicUrl(request({ host: 'inner:3000' }), '')).toBe(`http://inner:3000${PATH}`)
  expect(publicUrl(request(), '')).toBe(`http://10.0.0.7:3000${PATH}`)
})

describe('a message to us by Twilio', () => {
  const write = (body: string, prefix = '', from = '+34600000001') =>
    twilio.inbound({ from: `${prefix}${from}`, to: `${prefix}+34900000001`, body, url: TWILIO_URL })

  it.each(['STOP', 'Baja', ' baja. ', 'Alto', '¡unsubscribe!'])(
    '%j stops SMS and WhatsApp, by whichever it came',
    async (word) => {
      expect(await twiml(await write(word))).toEqual(EMPTY_TWIML)
      const both = ['sms +34600000001 stop', 'whatsapp +34600000001 stop']
      expect(await suppressions()).toEqual(both)
      await sql('delete from public.suppressions')
      await write(word, 'whatsapp:')
      expect(await suppressions()).toEqual(both)
    },
  )

  it.each(['ALTA', 'start', 'Unstop'])('%j lets messages go again, unless they bounce', async (word) => {
    const suppress = (reason: string) =>
      sql(
        `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'sms', '+34600000001', $2)`,
        [group.id, reason],
      )
    await suppress('stop')
    await write(word, 'whatsapp:')
    expect(await suppressions()).toEqual([])
    await suppress('unsubscribe')
    await write(word, 'whatsapp:')
    expect(await suppressions()).toEqual(['sms +34600000001 unsubscribe'])
    await write(word)
    expect(await suppressions()).toEqual([])
    await suppress('complaint')
    await write(word)
    expect(await suppressions()).toEqual(['sms +34600000001 complaint'])
  })

  it('that says something else changes no subscription; by WhatsApp it opens the window', async () => {
    await write('¿Me dais de baja la reserva del viernes?')
    await write('')
    await write('STOP', '', '12345')
    expect(await sql('select address from public.whatsapp_windows')).toEqual([])
    await write('Hola\u0000', 'whatsapp:')
    expect(await sql('select organization_id::text, address from public.whatsapp_windows')).toEqual([
      { organization_id: group.id, address: '+34600000001' },
    ])
    expect(await suppressions()).toEqual([])
  })
})

describe('an event of Resend', () => {
  const url = RESEND_URL
  const TAKEN = { status: 200, body: { success: true } }

  it.each([
    ['email.sent', {}, 'unknown', 'sent'],
    ['email.delivered', {}, 'sent', 'delivered'],
    ['email.delivered', {}, 'unknown', 'delivered'],
    ['email.delivered', {}, 'sending', 'delivered'],
    ['email.bounced', { bounce: { type: 'Transient' } }, 'sent', 'soft_bounce'],
    ['email.failed', {}, 'sent', 'provider_failed'],
    ['email.suppressed', {}, 'sent', 'provider_suppressed'],
    ['email.delivery_delayed', {}, 'sent', 'sent'],
    ['email.opened', {}, 'sent', 'sent'],
  ])('%s %j makes a message that is %s %s', async (type, data, before, after) => {
    const { providerId } = await send('email', before, before !== 'sent')
    expect(await answer(await resend.report(providerId, { type, url, data }))).toEqual(TAKEN)
    expect(await statuses()).toEqual([after])
    expect(await suppressions()).toEqual([])
  })

  it('that is a permanent bounce or a complaint stops e-mail to the address', async () => {
    const bounced = await send('email')
    const hard = { type: 'email.bounced', url, data: { bounce: { type: 'Permanent' } } }
    await resend.report(bounced.providerId, hard)
    expect(await statuses()).toEqual(['bounced'])
    expect(await suppressions()).toEqual(['email ana@example.com bounce'])
    await sql(emptyTables('messages', 'suppressions'))
    const complained = await send('email')
    const data = { to: ['Ana <ANA@example.com>', 'no address'] }
    await resend.report(complained.providerId, { type: 'email.complained', url, data })
    expect(await statuses()).toEqual(['delivered'])
    expect(await suppressions()).toEqual(['email ana@example.com complaint'])
  })

  it('stops an address with other letters than those of English, in each form that a guest may have', async () => {
    const { providerId } = await send('email')
    const data = { to: ['José <JOSÉ@example.com>', 'ana@münchen.example'], bounce: { type: 'Permanent' } }
    await resend.report(providerId, { type: 'email.bounced', url, data })
    expect(await suppressions()).toEqual([
      'email ana@münchen.example bounce',
      'email ana@xn--mnchen-3ya.example bounce',
      'email josé@example.com bounce',
    ])
  })

  it('after delivery may still stop the address, but not undo the delivery; twice changes nothing', async () => {
    const { providerId } = await send('email', 'delivered')
    const hard = { type: 'email.bounced', url, data: { bounce: { type: 'Permanent' } } }
    await resend.report(providerId, hard)
    const before = [await rows(), await sql('select *, xmin::text from public.suppressions')]
    expect(before[1]).toHaveLength(1)
    expect(await statuses()).toEqual(['delivered'])
    await resend.report(providerId, hard)
    expect([await rows(), await sql('select *, xmin::text from public.suppressions')]).toEqual(before)
  })

  it.each([
    ['no event', '[]'],
    ['nothing', 'null'],
    [
      'an event about a domain',
      '{"type":"domain.created","created_at":"2026-11-20T11:00:00Z","data":{"id":"x"}}',
    ],
    [
      'strange times and tags',
      JSON.stringify({
        type: 'email.delivered',
        created_at: '+275760-09-13T00:00:00.000Z',
        data: { email_id: crypto.randomUUID(), to: 'x', tags: { message_id: '\u0000' } },
      }),
    ],
  ])('that is %s is taken quietly', async (_, body) => {
    expect(await answer(await deliver(url, signed(body, RESEND.webhook_secret, new Date()), body))).toEqual(
      TAKEN,
    )
  })

  it('without a good signature is refused and changes nothing', async () => {
    const { providerId } = await send('email')
    const before = await rows()
    const body = JSON.stringify({
      type: 'email.complained',
      data: { email_id: providerId, to: ['ana@example.com'] },
    })
    const good = signed(body, RESEND.webhook_secret, new Date())
    const minutes = (count: number) => new Date(Date.now() + count * 60_000)
    const { 'svix-signature': _, ...bare } = good
    const attempts: [Record<string, string>, string][] = [
      [{ 'content-type': 'application/json' }, body],
      [bare, body],
      [good, `${body} `],
      [{ ...good, 'svix-id': 'msg_other' }, body],
      [{ ...good, 'svix-signature': 'v1,AAAA' }, body],
      [{ ...good, 'svix-timestamp': 'now' }, body],
      [signed(body, RESEND.webhook_secret, minutes(-6)), body],
      [signed(body, RESEND.webhook_secret, minutes(6)), body],
      [signed(body, 'whsec_AAAA', new Date()), body],
    ]
    for (const [headers, text] of attempts)
      expect(await answer(await deliver(url, headers, text))).toEqual(FORBIDDEN)
    expect(await rows()).toEqual(before)
    expect(await suppressions()).toEqual([])
    expect(await answer(await deliver(url, good, body))).toEqual(TAKEN)
    expect(await suppressions()).toEqual(['email ana@example.com complaint'])
  })

  it('that is too large is refused', async () => {
    const body = 'x'.repeat(300_000)
    const response = await deliver(url, signed(body, RESEND.webhook_secret, new Date()), body)
    expect(response.status).toBe(413)
  })
})

describe('the time of the last call', { shuffle: false }, () => {
  afterAll(() => vi.useRealTimers())
  const stored = () =>
    sql<{ organization_id: string; provider: string; heard: boolean; refused: boolean; version: string }>(
      `select organization_id::text, provider, heard_at > now() - interval '1 minute' as heard,
         refused_at > now() - interval '1 minute' as refused, xmin::text as version
       from public.webhook_calls order by provider::text, organization_id = $1`,
      [group.id],
    )
  const times = async () =>
    (await stored()).map(
      ({ organization_id, provider, heard, refused }) =>
        `${provider} ${organization_id === group.id ? 'ours' : 'other'}${heard ? ' heard' : ''}${refused ? ' refused' : ''}`,
    )
  const forged = () =>
    deliver(
      RESEND_URL,
      { ...signed('{}', 'whsec_AAAA', new Date()), 'content-type': 'application/json' },
      '{}',
    )
  const real = (secret = RESEND.webhook_secret) =>
    deliver(RESEND_URL, { ...signed('{}', secret, new Date()), 'content-type': 'application/json' }, '{}')
  // The app asks the database once a minute. Tokens of a future hour are refused, so the hour goes back.
  const atAnotherTime = async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 120_000 })
    await sql(
      `update public.webhook_calls set heard_at = heard_at - interval '1 day', refused_at = refused_at - interval '1 day'`,
    )
  }

  it('is of whom it was signed by', async () => {
    await atAnotherTime()
    await sql(emptyTables('webhook_calls'))
    await real()
    expect(await times()).toEqual(['resend ours heard'])
    await atAnotherTime()
    const { providerId } = await send('sms')
    await twilio.report(providerId, { status: 'delivered' })
    expect(await times()).toEqual(['resend ours', 'twilio ours heard'])
  })

  it('with a wrong signature is kept beside it, for all who have the provider', async () => {
    await atAnotherTime()
    await sql(emptyTables('webhook_calls'))
    await real()
    await forged()
    expect(await times()).toEqual(['resend other refused', 'resend ours heard refused'])
  })

  it('is written once a minute, however many calls come', async () => {
    await atAnotherTime()
    await forged()
    await real()
    const before = await stored()
    for (let call = 0; call < 3; call++) {
      await forged()
      await real()
    }
    expect(await stored()).toEqual(before)
    // Another process, which has not noted the minute, writes nothing either.
    for (const organization of [null, group.id])
      await sql('select public.note_webhook($1, $2)', ['resend', organization])
    expect(await stored()).toEqual(before)
    await sql(`update public.webhook_calls set refused_at = refused_at - interval '61 seconds'`)
    await sql('select public.note_webhook($1, null)', ['resend'])
    expect((await stored()).map(({ refused }) => refused)).toEqual([true, true])
  })

  it('is nobody’s when the call had no signature at all', async () => {
    await atAnotherTime()
    await sql(emptyTables('webhook_calls'))
    await deliver(RESEND_URL, { 'content-type': 'application/json' }, '{}')
    await deliver(TWILIO_URL, { 'content-type': 'application/x-www-form-urlencoded' }, 'AccountSid=AC1')
    expect(await stored()).toEqual([])
  })
})
