import { NextRequest } from 'next/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { env } from '@/lib/env'
import type { Channel } from '@/lib/messaging/schema'
import { readSubscription, unsubscribeHeaders, unsubscribeUrl } from '@/lib/messaging/unsubscribe'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { proxy } from '@/proxy'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer } from '../support/sign-in'

let app: TestApp
let group: Group

beforeAll(async () => {
  app = await startApp({ APP_URL: 'https://crm.example' })
  group = await createGroup(app.stack, 'Grupo Baja')
})
afterEach(() => app.stack.sql(emptyTables('suppressions')))
afterAll(() => app?.close())

const FORM = 'application/x-www-form-urlencoded'
const NOT_FOUND = refusal('NOT_FOUND')
const DONE = { status: 200, body: { success: true } }

const tokenFor = (channel: Channel = 'email', address = 'ana@example.com', organizationId = group.id) =>
  unsubscribeToken({ organizationId, channel, address }, env().SECRETS_KEY)
const post = (token: string, body?: string, headers: Record<string, string> = { 'content-type': FORM }) =>
  app.client().request('POST', `/api/u/${token}`, { body, headers })
const state = async (token = tokenFor()) => (await readSubscription(token))?.state
const suppressions = () =>
  app.stack.sql('select organization_id::text, channel, address, reason from public.suppressions')
const suppress = (reason: string) =>
  app.stack.sql(
    `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', 'ana@example.com', $2)`,
    [group.id, reason],
  )

describe('unsubscribing', () => {
  it.each<[Channel, string]>([
    ['email', 'ana@example.com'],
    ['sms', '+34600000001'],
    ['whatsapp', '+34600000001'],
  ])('by %s with one click, as mail programs do it, also from another site', async (channel, address) => {
    const token = tokenFor(channel, address)
    expect(await state(token)).toBe('subscribed')
    const headers = { 'content-type': FORM, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    for (const _ of [1, 2])
      expect(await answer(await post(token, 'List-Unsubscribe=One-Click', headers))).toEqual(DONE)
    // A number is one address, by SMS and by WhatsApp.
    const channels = channel === 'email' ? [channel] : ['sms', 'whatsapp']
    expect(await suppressions()).toEqual(
      channels.map((each) => ({ organization_id: group.id, channel: each, address, reason: 'unsubscribe' })),
    )
    expect(await state(token)).toBe('unsubscribed')
  })

  it('works with a multipart form, and without a body', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const body =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    expect(await answer(await post(tokenFor(), body, type))).toEqual(DONE)
    expect(await answer(await post(tokenFor('sms', '+34600000001'), undefined, {}))).toEqual(DONE)
    expect(await suppressions()).toHaveLength(3)
  })

  it('by the page leads back to it, and can be undone', async () => {
    const token = tokenFor()
    const gone = await post(token, 'action=unsubscribe')
    expect([gone.status, gone.headers.get('location')]).toEqual([303, `/u/${token}`])
    const again = await post(token, 'action=unsubscribe&language=en')
    expect([again.status, again.headers.get('location')]).toEqual([303, `/u/${token}?lang=en`])
    expect(await state()).toBe('unsubscribed')
    const named = await post(`${token}?m=ABC&lang=es`, 'action=unsubscribe&language=en')
    expect(named.headers.get('location')).toBe(`/u/${token}?m=ABC&lang=en`)
    for (const _ of [1, 2]) expect((await post(token, 'action=undo')).status).toBe(303)
    expect(await state()).toBe('subscribed')
    expect(await suppressions()).toEqual([])
  })

  it('from SMS and WhatsApp is undone for both, but for a STOP; the id of a WhatsApp account is no number', async () => {
    const token = tokenFor('whatsapp', '+34600000001')
    await post(token, 'action=unsubscribe')
    await app.stack.sql(`update public.suppressions set reason = 'stop' where channel = 'sms'`)
    expect(await state(tokenFor('sms', '+34600000001'))).toBe('blocked')
    await post(token, 'action=undo')
    expect(await suppressions()).toMatchObject([{ channel: 'sms', reason: 'stop' }])
    await post(tokenFor('whatsapp', 'ES.13491208655302741918'), 'action=unsubscribe')
    expect((await suppressions()).length).toBe(2)
  })

  it.each(['stop', 'manual', 'bounce', 'complaint'])('neither weakens nor undoes a %s', async (reason) => {
    await suppress(reason)
    expect(await state()).toBe('blocked')
    for (const action of ['unsubscribe', 'undo']) await post(tokenFor(), `action=${action}`)
    expect(await suppressions()).toMatchObject([{ reason }])
  })

  it('needs a link of ours', async () => {
    const token = tokenFor()
    const foreign = tokenFor('email', 'ana@example.com', crypto.randomUUID())
    const otherKey = unsubscribeToken(
      { organizationId: group.id, channel: 'email', address: 'ana@example.com' },
      Buffer.alloc(32, 9).toString('base64'),
    )
    for (const wrong of [`${token}A`, token.slice(1), 'nonsense', '%00', foreign, otherKey]) {
      expect(await answer(await post(wrong, 'List-Unsubscribe=One-Click'))).toEqual(NOT_FOUND)
      expect(await readSubscription(wrong)).toBeNull()
    }
    expect(await suppressions()).toEqual([])
  })

  it('refuses what is no form, too large, or asks for something else', async () => {
    const token = tokenFor()
    expect((await post(token, '{}', { 'content-type': 'application/json' })).status).toBe(415)
    expect((await post(token, `x=${'x'.repeat(70_000)}`)).status).toBe(413)
    expect((await post(token, 'action=delete')).status).toBe(400)
    expect((await post('x'.repeat(3000), 'action=undo')).status).toBe(400)
    expect(await suppressions()).toEqual([])
  })

  it('is not done by looking', async () => {
    expect((await app.client().request('GET', `/api/u/${tokenFor()}`)).status).toBe(405)
    expect(await readSubscription(tokenFor())).toEqual({
      recipient: { organizationId: group.id, channel: 'email', address: 'ana@example.com' },
      organizationName: 'Grupo Baja',
      state: 'subscribed',
      language: null,
      groupLanguage: 'es',
    })
    expect(await suppressions()).toEqual([])
  })
})

describe('the link in a message', () => {
  it('leads to the page, for people without a session, and takes the post of mail programs', async () => {
    const url =
      unsubscribeUrl({ organizationId: group.id, channel: 'email', address: 'ana@example.com' }) ?? ''
    expect(url).toBe(`https://crm.example/u/${tokenFor()}`)
    expect(unsubscribeHeaders(url)).toEqual({
      'List-Unsubscribe': `<${url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    const through = (method: string) => proxy(new NextRequest(url, { method }))
    const seen = await through('GET')
    expect([seen.status, seen.headers.get('location'), seen.headers.get('x-middleware-next')]).toEqual([
      200,
      null,
      '1',
    ])
    const posted = await through('POST')
    expect(posted.headers.get('x-middleware-rewrite')).toBe(`https://crm.example/api/u/${tokenFor()}`)
    const named = await proxy(new NextRequest(`${url}?m=ABC`, { method: 'POST' }))
    expect(named.headers.get('x-middleware-rewrite')).toBe(`https://crm.example/api/u/${tokenFor()}?m=ABC`)
    const elsewhere = await proxy(new NextRequest('https://crm.example/users', { method: 'POST' }))
    expect(elsewhere.headers.get('location')).toContain('/sign-in')
  })
})
