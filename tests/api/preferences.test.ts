import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '@/lib/env'
import type { Channel } from '@/lib/messaging/channels'
import { readPreferences } from '@/lib/messaging/preferences'
import { readSubscription } from '@/lib/messaging/unsubscribe'
import { chosenOf } from '@/lib/messaging/unsubscribe-form'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { createGroup } from '../factories/group'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { ANA, app, BEA, group, guest, sql, suppress, withOutbox } from '../support/outbox'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// What a guest chooses behind an unsubscribe link, and what is stored of it.
withOutbox()

let boss: Client
let sol: string
let mar: string
beforeAll(async () => {
  boss = await signedIn(await group.person('super_admin'))
  sol = await brand('Sol')
  mar = await brand('Mar')
})
beforeEach(async () => {
  await sql('delete from public.attempt_limits')
  await sql(`update public.organizations set language = 'es'`)
})

async function brand(name: string, organization = group.id): Promise<string> {
  const [made] = await sql<{ id: string }>(
    'insert into public.brands (organization_id, name, slug) values ($1, $2, lower($2)) returning id::text',
    [organization, name],
  )
  return made?.id ?? ''
}
const own = async () =>
  (
    await sql<{ id: string }>(`select id::text from public.brands where organization_id = $1`, [group.id])
  ).map(({ id }) => id)
const tokenFor = (address: string | undefined, channel: Channel = 'email') =>
  unsubscribeToken({ organizationId: group.id, channel, address: address ?? '' }, env().SECRETS_KEY)
const FORM = 'application/x-www-form-urlencoded'
const post = (token: string, fields: string | [string, string][], headers: Record<string, string> = {}) =>
  app.client().request('POST', `/api/u/${token}`, {
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    headers: { 'content-type': FORM, ...headers },
  })
/** Saves what a guest chose, as the page's form does. */
async function choose(token: string, fields: [string, string][]) {
  const answered = await post(token, [['action', 'preferences'], ...fields])
  expect(answered.status, await answered.clone().text()).toBe(303)
  return answered
}
const seen = async (token = tokenFor(ANA.email)) => {
  const { subscription: _, ...rest } = (await readPreferences(token)) ?? {}
  return rest
}
const channels = async (token = tokenFor(ANA.email)) =>
  Object.fromEntries((await readPreferences(token))?.channels.map((each) => [each.channel, each.state]) ?? [])
const stored = () =>
  sql<{ who: string; frequency: string | null; muted: string[]; language: string | null }>(
    `select first_name as who, write_frequency as frequency, muted_brands::text[] as muted, language
     from public.customers order by first_name`,
  )
const closed = async () =>
  (
    await sql<{ line: string }>(
      `select channel || ' ' || address || ' ' || reason as line from public.suppressions order by 1`,
    )
  ).map(({ line }) => line)
const customer = async (id: string) =>
  (await answer(await boss.request('GET', `/api/customers/${id}`))).body.data

describe('the form', () => {
  it('closes the channels that are not chosen, a number for SMS and WhatsApp alike, and opens them again', async () => {
    await guest(ANA)
    const token = tokenFor(ANA.email)
    expect(await channels()).toEqual({ email: 'on', sms: 'on', whatsapp: 'on' })
    await choose(token, [
      ['channels', ''],
      ['channels', 'email'],
    ])
    expect(await closed()).toEqual([`sms ${ANA.phone} unsubscribe`, `whatsapp ${ANA.phone} unsubscribe`])
    expect(await channels()).toEqual({ email: 'on', sms: 'off', whatsapp: 'off' })
    // Half a number is none: a no to one is a no to both.
    await choose(token, [['channels', 'email,sms']])
    expect(await channels()).toEqual({ email: 'on', sms: 'off', whatsapp: 'off' })
    await choose(token, [['channels', 'sms,whatsapp']])
    expect(await channels()).toEqual({ email: 'off', sms: 'on', whatsapp: 'on' })
    await choose(token, [['channels', '']])
    expect(await channels()).toEqual({ email: 'off', sms: 'off', whatsapp: 'off' })
  })

  it.each(['stop', 'manual', 'bounce', 'complaint'])(
    'neither shows nor opens what a %s closed',
    async (reason) => {
      await guest(ANA)
      await suppress(ANA.email, reason)
      await suppress(ANA.phone, 'stop', 'sms')
      expect(await channels()).toEqual({ email: 'closed', sms: 'closed', whatsapp: 'closed' })
      await choose(tokenFor(ANA.email), [
        ['channels', 'email,sms,whatsapp'],
        ['frequency', 'all'],
      ])
      expect(await closed()).toEqual([
        `email ${ANA.email} ${reason}`,
        `sms ${ANA.phone} stop`,
        `whatsapp ${ANA.phone} stop`,
      ])
    },
  )

  it('opens of a number only what a link closed', async () => {
    await guest(ANA)
    await suppress(ANA.phone, 'manual', 'sms')
    await suppress(ANA.phone, 'unsubscribe', 'whatsapp')
    await choose(tokenFor(ANA.email), [['channels', 'email,sms,whatsapp']])
    expect(await closed()).toEqual([`sms ${ANA.phone} manual`])
    expect(await channels()).toEqual({ email: 'on', sms: 'closed', whatsapp: 'on' })
  })

  it('saves how often, which brands and the language, and says so to the staff', async () => {
    const id = await guest(ANA)
    const others = (await own()).filter((each) => each !== sol && each !== mar)
    await choose(tokenFor(ANA.email), [
      ['frequency', 'monthly'],
      ['brands', ''],
      ['brands', mar],
      ...others.map((each): [string, string] => ['brands', each]),
      ['guest_language', 'ca'],
    ])
    expect(await stored()).toEqual([{ who: 'Ana', frequency: 'monthly', muted: [sol], language: 'ca' }])
    expect(await seen()).toMatchObject({ known: true, frequency: 'monthly', language: 'ca' })
    expect((await readPreferences(tokenFor(ANA.email)))?.brands.filter(({ wanted }) => !wanted)).toEqual([
      { id: sol, name: 'Sol', wanted: false },
    ])
    expect(await customer(id)).toMatchObject({ write_frequency: 'monthly', muted_brands: [sol] })
    const exported = await answer(await boss.request('GET', `/api/customers/${id}/export`))
    expect(JSON.stringify(exported.body)).toContain('"write_frequency":"monthly"')
    expect(JSON.stringify(exported.body)).toContain(sol)
    const log = await sql('select actor, action, details from public.audit_log where subject_id = $1', [id])
    expect(log).toContainEqual({
      actor: 'guest',
      action: 'customer.wishes_changed',
      details: { fields: ['write_frequency', 'muted_brands', 'language'] },
    })
  })

  it('leaves alone what it does not have, and writes nothing twice', async () => {
    await guest(ANA)
    const token = tokenFor(ANA.email)
    await choose(token, [['frequency', 'monthly']])
    await choose(token, [['brands', '']])
    await choose(token, [['guest_language', '']])
    const all = { who: 'Ana', frequency: 'monthly', muted: (await own()).sort(), language: null }
    expect(await stored()).toEqual([all])
    expect(await closed()).toEqual([])
    const lines = async () => (await sql(`select 1 from public.audit_log where actor = 'guest'`)).length
    const before = await lines()
    // The group's language, as the page shows it, is no choice.
    await choose(token, [
      ['frequency', 'monthly'],
      ['brands', ''],
      ['guest_language', 'es'],
    ])
    expect(await lines()).toBe(before)
    expect(await stored()).toEqual([all])
    await choose(token, [
      ['frequency', 'all'],
      ['brands', (await own()).join(',')],
    ])
    expect(await stored()).toEqual([{ ...all, frequency: null, muted: [] }])
  })

  it('leads back to the page in its language, also without an action', async () => {
    await guest(ANA)
    const token = tokenFor(ANA.email)
    const named = await choose(`${token}?m=ABC`, [
      ['frequency', 'all'],
      ['language', 'en'],
    ])
    expect(named.headers.get('location')).toBe(`/u/${token}?m=ABC&lang=en&saved=1`)
    const plain = await post(token, 'frequency=monthly')
    expect([plain.status, plain.headers.get('location')]).toEqual([303, `/u/${token}?saved=1`])
    expect(await stored()).toMatchObject([{ frequency: 'monthly' }])
    expect(await closed()).toEqual([])
  })
})

describe('nothing at all', () => {
  it.each([
    ['action=unsubscribe&frequency=none'],
    ['action=preferences&frequency=none&channels=email&channels=sms'],
  ])('by %s closes every channel of the guest, credits the message, and is undone at once', async (body) => {
    const id = await guest(ANA)
    await suppress(ANA.email, 'unsubscribe')
    await sql(`update public.suppressions set address = 'otra@example.com'`)
    const [message] = await sql<{ id: string }>(
      `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, dedupe_key)
       values ($1, 'marketing', 'vip_reward', $2, 'email', $3, 'sent', 'k') returning id::text`,
      [group.id, id, ANA.email],
    )
    const credited = async () =>
      (await sql<{ at: string | null }>('select unsubscribed_at as at from public.messages'))[0]?.at !== null
    const token = tokenFor(ANA.email)
    expect((await post(`${token}?m=${message?.id}`, body)).status).toBe(303)
    expect(await channels()).toEqual({ email: 'off', sms: 'off', whatsapp: 'off' })
    expect(await credited()).toBe(true)
    expect((await post(`${token}?m=${message?.id}`, 'action=undo')).status).toBe(303)
    expect(await channels()).toEqual({ email: 'on', sms: 'on', whatsapp: 'on' })
    expect(await credited()).toBe(false)
    // Nobody else's, and not what was said at another time.
    expect(await closed()).toEqual(['email otra@example.com unsubscribe'])
  })

  it('is undone only as far as it went', async () => {
    await guest(ANA)
    await choose(tokenFor(ANA.email), [['channels', 'email']])
    await post(tokenFor(ANA.email), 'action=unsubscribe&frequency=none')
    await post(tokenFor(ANA.email), 'action=undo')
    expect(await channels()).toEqual({ email: 'on', sms: 'off', whatsapp: 'off' })
  })

  it('one click is about the link’s address, as ever, whatever else the form has', async () => {
    await guest(ANA)
    for (const body of [
      '',
      'List-Unsubscribe=One-Click',
      'List-Unsubscribe=One-Click&frequency=all&channels=sms',
    ]) {
      await sql(emptyTables('suppressions'))
      expect(await answer(await post(tokenFor(ANA.email), body))).toEqual({
        status: 200,
        body: { success: true },
      })
      expect(await closed()).toEqual([`email ${ANA.email} unsubscribe`])
    }
    expect(await stored()).toMatchObject([{ frequency: null, muted: [] }])
  })

  it('is heard however often, while other choices are not', async () => {
    await guest(ANA)
    const token = tokenFor(ANA.email)
    for (let n = 0; n < 10; n++) await choose(token, [['frequency', n % 2 ? 'all' : 'monthly']])
    const refused = await post(token, 'action=preferences&frequency=all')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await choose(token, [['frequency', 'none']])
    expect(await channels()).toEqual({ email: 'off', sms: 'off', whatsapp: 'off' })
  })
})

describe('whose wish it is', () => {
  it('that of everybody with the number; the no of one is not taken back by the other', async () => {
    await guest(ANA)
    await guest({ ...BEA, phone: ANA.phone })
    const shared = tokenFor(ANA.phone, 'sms')
    await post(tokenFor(BEA.email), 'action=unsubscribe')
    await choose(shared, [
      ['frequency', 'monthly'],
      ['brands', sol],
      ['channels', 'email,sms,whatsapp'],
    ])
    const muted = (await own()).filter((each) => each !== sol).sort()
    expect(await stored()).toMatchObject([
      { who: 'Ana', frequency: 'monthly', muted },
      { who: 'Bea', frequency: 'monthly', muted },
    ])
    expect(await closed()).toEqual([`email ${BEA.email} unsubscribe`])
    await choose(shared, [['channels', '']])
    expect(await closed()).toEqual([
      `email ${ANA.email} unsubscribe`,
      `email ${BEA.email} unsubscribe`,
      `sms ${ANA.phone} unsubscribe`,
      `whatsapp ${ANA.phone} unsubscribe`,
    ])
    // Nor does one of them open what another said elsewhere: the number is theirs, the e-mails are not.
    await choose(shared, [['channels', 'email,sms,whatsapp']])
    expect(await closed()).toEqual([`email ${ANA.email} unsubscribe`, `email ${BEA.email} unsubscribe`])
    expect(await channels(shared)).toEqual({ email: 'closed', sms: 'on', whatsapp: 'on' })
    // What the page shows to one of them has neither address nor name of the other.
    expect(JSON.stringify(await seen(shared))).not.toMatch(/Ana|Bea|@|\+34/)
  })

  it('nobody’s: the address of a link is opened and closed all the same', async () => {
    const token = tokenFor('nadie@example.com')
    expect(await seen(token)).toMatchObject({ known: false, channels: [{ channel: 'email', state: 'on' }] })
    await choose(token, [
      ['channels', ''],
      ['frequency', 'monthly'],
    ])
    expect(await closed()).toEqual(['email nadie@example.com unsubscribe'])
    await choose(token, [['channels', 'email']])
    expect(await closed()).toEqual([])
    await choose(tokenFor('+34600000009', 'whatsapp'), [['frequency', 'none']])
    expect(await closed()).toEqual(['sms +34600000009 unsubscribe', 'whatsapp +34600000009 unsubscribe'])
    await choose(tokenFor('ES.13491208655302741918', 'whatsapp'), [['frequency', 'none']])
    expect((await closed()).filter((line) => line.includes('ES.'))).toEqual([
      'whatsapp ES.13491208655302741918 unsubscribe',
    ])
  })

  it('a guest’s whose former address it was', async () => {
    const id = await guest(ANA)
    await sql(
      'insert into public.customer_aliases (organization_id, customer_id, email) values ($1, $2, $3)',
      [group.id, id, 'antes@example.com'],
    )
    await choose(tokenFor('antes@example.com'), [
      ['channels', 'sms,whatsapp'],
      ['frequency', 'monthly'],
    ])
    expect(await closed()).toEqual([`email ${ANA.email} unsubscribe`, 'email antes@example.com unsubscribe'])
    expect(await stored()).toMatchObject([{ frequency: 'monthly' }])
  })

  it('of both after a merge, the stricter; each has their own again after its undo', async () => {
    const ana = await guest(ANA)
    const bea = await guest(BEA)
    await choose(tokenFor(ANA.email), [['brands', (await own()).filter((each) => each !== sol).join(',')]])
    await choose(tokenFor(BEA.email), [
      ['frequency', 'monthly'],
      ['brands', (await own()).filter((each) => each !== mar).join(',')],
    ])
    const before = await stored()
    const merge = async () => {
      const merged = await boss.request('POST', `/api/customers/${ana}/merge`, {
        body: { duplicate_id: bea },
      })
      const { data } = await merged.json()
      expect(data).toMatchObject({ write_frequency: 'monthly', muted_brands: [sol, mar].sort() })
      return data.merge_id as string
    }
    const undo = async (id: string) =>
      expect((await boss.request('POST', `/api/customer-merges/${id}/undo`)).status).toBe(200)
    await undo(await merge())
    expect(await stored()).toEqual(before)
    // A wish of the time between holds for both: nobody knows whose it is.
    const second = await merge()
    await choose(tokenFor(BEA.email), [['brands', mar]])
    await undo(second)
    const muted = (await own()).filter((each) => each !== mar)
    expect(await stored()).toMatchObject([
      { who: 'Ana', frequency: null, muted: expect.arrayContaining(muted) },
      { who: 'Bea', frequency: 'monthly', muted: expect.arrayContaining(muted) },
    ])
  })

  it('is not loosened by a file or by the staff, and goes with the person', async () => {
    const id = await guest(ANA)
    await choose(tokenFor(ANA.email), [
      ['frequency', 'monthly'],
      ['brands', sol],
    ])
    const wish = await stored()
    const changed = await boss.request('PATCH', `/api/customers/${id}`, {
      body: { last_name: 'Otra', write_frequency: null, muted_brands: [] },
    })
    expect([200, 400]).toContain(changed.status)
    expect(await stored()).toEqual(wish)
    expect((await boss.request('DELETE', `/api/customers/${id}`)).status).toBe(204)
    expect(await seen()).toMatchObject({ known: false, frequency: 'all' })
    expect((await readPreferences(tokenFor(ANA.email)))?.brands.every(({ wanted }) => wanted)).toBe(true)
  })
})

describe('hostile and spoilt forms', () => {
  it.each([
    ['a brand of nobody', `brands=${crypto.randomUUID()}`],
    ['no id', 'brands=sol'],
    ['an unknown channel', 'channels=fax'],
    ['an unknown frequency', 'frequency=weekly'],
    ['an unknown language', 'guest_language=xx'],
    ['SQL', `brands=%27%20or%201%3D1--`],
    ['a NUL', 'channels=%00'],
    ['an unknown action', 'action=everything'],
  ])('%s is refused, and nothing of it saved', async (_, body) => {
    await guest(ANA)
    const token = tokenFor(ANA.email)
    const whole = `${body.includes('action') ? '' : 'action=preferences&'}${body}${body.includes('frequency') ? '' : '&frequency=monthly'}`
    expect(await answer(await post(token, whole))).toEqual(refusal('MALFORMED_FORM'))
    expect(await stored()).toEqual([{ who: 'Ana', frequency: null, muted: [], language: null }])
    expect(await closed()).toEqual([])
  })

  it('another group’s brand is refused; a browser gets the page back with what was chosen', async () => {
    await guest(ANA)
    const other = await createGroup(app.stack, 'Otro Grupo')
    const foreign = await brand('Ajena', other.id)
    const token = tokenFor(ANA.email)
    const fields: [string, string][] = [
      ['action', 'preferences'],
      ...[sol, foreign].map((each): [string, string] => ['brands', each]),
      ['frequency', 'monthly'],
      ['channels', 'sms,whatsapp'],
      ['language', 'en'],
    ]
    expect((await post(token, fields)).status).toBe(400)
    const back = await post(token, fields, { accept: 'text/html' })
    expect(back.status).toBe(303)
    const at = new URL(back.headers.get('location') ?? '', 'https://crm.example')
    expect(at.pathname).toBe(`/u/${token}`)
    expect(chosenOf(Object.fromEntries(at.searchParams))).toEqual({
      saved: false,
      refused: { channels: ['sms', 'whatsapp'], brands: [sol, foreign], frequency: 'monthly' },
    })
    expect(await stored()).toMatchObject([{ frequency: null, muted: [] }])
  })

  it('the page’s address can be anything', () => {
    expect(chosenOf({ saved: ['1', '1'], frequency: 'weekly', refused: 'no', channels: ['a'] })).toEqual({
      saved: false,
      refused: null,
    })
  })

  it('a wrong link changes nothing, nor does looking', async () => {
    await guest(ANA)
    const token = tokenFor(ANA.email)
    expect(await answer(await post(`${token}A`, 'action=preferences&frequency=none'))).toEqual(
      refusal('NOT_FOUND'),
    )
    for (const method of ['GET', 'HEAD'])
      expect(
        (await app.client().request(method, `/api/u/${token}?action=preferences&frequency=none`)).status,
      ).toBe(405)
    await readPreferences(token)
    expect((await readSubscription(token))?.state).toBe('subscribed')
    expect(await closed()).toEqual([])
    expect(await readPreferences('nonsense')).toBeNull()
  })
})
