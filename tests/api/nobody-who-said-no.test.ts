import { domainToUnicode } from 'node:url'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { planCampaign } from '@/lib/campaigns/plan'
import { env } from '@/lib/env'
import { waitForDetachedWork } from '@/lib/http/after'
import type { Channel } from '@/lib/messaging/channels'
import { drain } from '@/lib/messaging/drain'
import type { Provider } from '@/lib/messaging/provider'
import { providersFor } from '@/lib/messaging/providers'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { DECLARED, noQuietHours } from '../factories/messaging'
import { createRandom } from '../fakes/pms/random'
import type { Client } from '../support/app'
import { csvForm } from '../support/csv-form'
import {
  app,
  automate,
  group,
  later,
  resend,
  SITE,
  service,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { type ModelGuest, noModel, type Taken, type Way } from '../support/no-model'
import OPT_OUTS from '../support/opt-out-texts.json'
import { answer, signedIn } from '../support/sign-in'

// Guests say no in every way there is, at any moment. The test keeps its own books and compares them with what the
// providers took. NO_GUESTS=3000 NO_SEED=$RANDOM by hand, and every night.
const GUESTS = Number(process.env.NO_GUESTS || 300)
const SEED = process.env.NO_SEED || 'no'
const random = createRandom(SEED)
const WAYS: (Way & { as: 'automation' | 'campaign' })[] = [
  { as: 'automation', channel: 'sms', fallback: null },
  { as: 'campaign', channel: 'email', fallback: 'sms' },
  { as: 'automation', channel: 'whatsapp', fallback: 'email' },
  { as: 'campaign', channel: 'sms', fallback: 'whatsapp' },
  { as: 'automation', channel: 'email', fallback: null },
  { as: 'campaign', channel: 'whatsapp', fallback: 'sms' },
  { as: 'automation', channel: 'email', fallback: 'whatsapp' },
  { as: 'automation', channel: 'sms', fallback: 'email' },
]
const STOPS = Object.values(OPT_OUTS).flatMap(({ stop }) => stop)
const US = '+34900000001'

withDelivery()
let boss: Client
beforeAll(async () => {
  boss = await signedIn(await group.person('super_admin'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments'))
  await sql('update public.organizations set control_share = 0, campaign_approve_above = null')
})

const texts = (): Taken[] =>
  twilio.accepted.map(({ form }) => ({
    channel: form.To?.startsWith('whatsapp:') ? 'whatsapp' : 'sms',
    address: String(form.To).replace('whatsapp:', ''),
  }))
const mails = (): Taken[] =>
  resend.accepted.map(({ email }) => ({ channel: 'email', address: String([email.to].flat()[0]) }))
const model = noModel(() => ({ texts: twilio.accepted.length, mails: resend.accepted.length }))

/** Another spelling of the same mailbox. */
function spelled(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  const unicode = `${local}@${domainToUnicode(domain)}`
  const forms = [email, email.toUpperCase(), unicode, unicode.toUpperCase(), `mailto:${unicode}`]
  return random.pick([...forms, `<${email}>`, `Ana Ruiz <${unicode.toUpperCase()}>`])
}
const spelledPhone = (phone: string) =>
  random.pick([phone, phone.slice(3), phone.replace('+', '00'), phone.replace(/(\d{3})(?=\d)/g, '$1 ')])

/** Guests with an e-mail, a phone or both; some share the phone of the one before. */
async function arrive(): Promise<void> {
  const rows = Array.from({ length: GUESTS }, (_, n) => {
    const has = random.weighted([['both', 6] as const, ['email', 2] as const, ['phone', 2] as const])
    const domain = random.pick(['correo.example', 'xn--mnchen-3ya.example'])
    return {
      name: `g${n}`,
      email: has === 'phone' ? null : `guest${n}@${domain}`,
      phone: has === 'email' ? null : `+346${String(20_000_000 + n)}`,
    }
  })
  for (const [n, row] of rows.entries())
    if (row.phone && random.chance(0.04)) row.phone = rows[n - 1]?.phone ?? null
  await sql(
    `insert into public.customers (organization_id, first_name, email, phone, total_spend, total_visits, consents)
     select $1, r.name, r.email, r.phone, 500, 1, $3 from jsonb_to_recordset($2::text::jsonb) as r (name text, email text, phone text)
     where num_nonnulls(r.email, r.phone) > 0`,
    [group.id, JSON.stringify(rows), DECLARED],
  )
  await meet()
}

/** Takes guests whom the model does not know yet into it. */
async function meet(): Promise<void> {
  const stored = await sql<Pick<ModelGuest, 'id' | 'name' | 'email' | 'phone'>>(
    'select id::text, first_name as name, email, phone from public.customers order by created_at, first_name, id',
  )
  const counts = Map.groupBy(stored, ({ phone }) => phone)
  const known = new Set(model.guests.map(({ id }) => id))
  for (const row of stored) {
    if (known.has(row.id)) continue
    const contacts = new Set([row.email, row.phone].filter((contact) => contact !== null))
    const shares = row.phone !== null && (counts.get(row.phone)?.length ?? 0) > 1
    model.guests.push({ ...row, contacts, shares })
  }
}

const inbound = (from: string, body: string, optOutType?: 'STOP') =>
  twilio.inbound({
    ...{ from, body, to: from.startsWith('whatsapp:') ? `whatsapp:${US}` : US },
    ...{ url: `${SITE}/api/webhooks/twilio`, optOutType },
  })
async function byLink(channel: Channel, address: string): Promise<Response> {
  await sql('delete from public.attempt_limits')
  const token = unsubscribeToken({ organizationId: group.id, channel, address }, env().SECRETS_KEY)
  return app.client().request('POST', `/api/u/${token}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: random.pick(['List-Unsubscribe=One-Click', 'action=unsubscribe']),
  })
}

/** How often each way of saying no was used. */
const used = new Map<string, number>()

/** Says no to an address in one of the ways there are for it. */
async function sayNo(address: string): Promise<void> {
  const isMail = address.includes('@')
  const mail = resend.accepted.findLast(({ email }) => [email.to].flat()[0] === address)
  const text = twilio.accepted.findLast(({ form }) => form.To?.replace('whatsapp:', '') === address)
  const report = (type: string, more: object = {}) =>
    resend.report(mail?.id ?? '', {
      ...{ type, url: `${SITE}/api/webhooks/resend` },
      data: { to: [spelled(address)], ...more },
    })
  const ways: Record<string, () => Promise<Response>> = isMail
    ? {
        link: () => byLink('email', spelled(address)),
        ...(mail && {
          complaint: () => report('email.complained'),
          bounce: () => report('email.bounced', { bounce: { type: 'Permanent' } }),
        }),
      }
    : {
        'a text': () => inbound(address, random.pick(STOPS)),
        'a WhatsApp': () => inbound(`whatsapp:${address}`, random.pick(STOPS)),
        'the provider’s STOP': () => inbound(address, 'Adiós', 'STOP'),
        'link of an SMS': () => byLink('sms', address),
        'link of a WhatsApp': () => byLink('whatsapp', address),
        ...(text && {
          'a refused text': () =>
            twilio.report(text.sid, {
              status: 'failed',
              errorCode: text.form.To?.startsWith('whatsapp:') ? 63032 : 21610,
            }),
        }),
      }
  const way = random.pick(Object.keys(ways))
  const response = await ways[way]?.()
  expect([200, 303], `${way} ${address}`).toContain(response?.status)
  used.set(way, (used.get(way) ?? 0) + 1)
  if (way === 'bounce') model.bounce(address)
  else model.no(address, way)
}

/** Some guests who have not yet, and whom `may` allows, say no. */
async function some(share: number, may: (guest: ModelGuest) => boolean = () => true): Promise<void> {
  for (const guest of [...model.guests]) {
    if (!random.chance(share) || model.hasSaid(guest) || !may(guest)) continue
    const own = [guest.email, guest.phone].filter((address) => address !== null)
    const open = own.filter((address) => !model.bounced.has(address))
    if (open.length > 0) await sayNo(random.pick(open))
  }
  await waitForDetachedWork()
}

/** Merges a few pairs of guests, among them such as said no; returns who remains. */
async function mergeSome(pairs: number): Promise<void> {
  for (let n = 0; n < pairs; n++) {
    const free = model.guests.filter(({ shares }) => !shares)
    const kept = random.pick(free)
    const gone = random.pick(free.filter((guest) => guest !== kept))
    const merged = await answer(
      await boss.request('POST', `/api/customers/${kept.id}/merge`, { body: { duplicate_id: gone.id } }),
    )
    expect(merged.status).toBe(200)
    model.merged(kept, gone, merged.body.data)
  }
  await spend()
}

/** What guests spent is counted anew where records meet; automations write to who spent enough. */
const spend = () => sql('update public.customers set total_spend = 500 where total_spend < 500')

let strangers = 0
/** A file with guests who said no, others, and strangers who had said no before anybody knew them. */
async function importSome(): Promise<void> {
  const rows = model.guests
    .filter(
      (guest) => !guest.shares && guest.email !== null && random.chance(model.hasSaid(guest) ? 0.3 : 0.05),
    )
    .map(({ name, email, phone }) => [spelled(email ?? ''), phone ? spelledPhone(phone) : '', name])
  for (let n = 0; n < GUESTS / 60; n++) {
    const [email, phone] = [`stranger${++strangers}@xn--mnchen-3ya.example`, `+346${30_000_000 + strangers}`]
    if (random.chance(0.5)) await sayNo(phone)
    if (random.chance(0.5)) await sayNo(email)
    rows.push([spelled(email), spelledPhone(phone), `s${strangers}`])
  }
  await sql('delete from public.rate_limits')
  const csv = ['email;phone;nombre', ...rows.map((row) => row.map((cell) => `"${cell}"`).join(';'))].join(
    '\n',
  )
  const imported = await answer(
    await boss.request('POST', '/api/imports', { body: csvForm(csv, { consent: 'opt_in' }) }),
  )
  expect(imported.body, JSON.stringify(imported.body)).toMatchObject({ data: { error_count: 0 } })
  await spend()
  await meet()
}

/** A guest's addresses, consents, opt-outs and last three messages, to find out why the guest got none. */
async function stateOf({ id, name, email, phone }: ModelGuest) {
  const messages = await sql(
    `select channel, status, reason, detail, attempts, recipient, created_at from public.messages
     where customer_id = $1 order by created_at desc limit 3`,
    [id],
  )
  const own = await sql(
    `select c.total_spend, c.consents, array(select s from public.suppressions s where s.address in (c.email, c.phone)) as no
     from public.customers c where c.id = $1`,
    [id],
  )
  return JSON.stringify({ name, email, phone, messages, own })
}

/** Work that is done one after another. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

let saidMeanwhile = 0
/**
 * Sends what is due, in small batches. After each of them some say no whose message still waits: no batch is claimed meanwhile, so that the
 * no comes surely before the next one.
 */
async function send(now: Date): Promise<void> {
  const turn = inTurn()
  const db = service()
  const claimsInTurn = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'rpc') return typeof value === 'function' ? value.bind(target) : value
      return (called: 'claim_messages', args: { p_limit: number }) =>
        called === 'claim_messages'
          ? turn(async () => target.rpc(called, { ...args, p_limit: Math.min(args.p_limit, 20) } as never))
          : target.rpc(called, args as never)
    },
  })
  const betweenBatches = async () => {
    const waiting = await sql<{ id: string }>(
      `select customer_id::text as id from public.messages where status in ('queued', 'sending')
       group by customer_id having bool_and(status = 'queued')`,
    )
    const ids = new Set(waiting.map(({ id }) => id))
    const before = model.said.size
    await some(3 / GUESTS, (guest) => !guest.shares && ids.has(guest.id))
    saidMeanwhile += model.said.size - before
  }
  const noted = (provider: Provider): Provider => ({
    ...provider,
    send: async (batch) => {
      const outcomes = await provider.send(batch)
      await turn(betweenBatches)
      return outcomes
    },
  })
  const providers = await providersFor(db, group.id)
  await drain({
    ...{ db: claimsInTurn, organizationId: group.id, now: () => now },
    signal: new AbortController().signal,
    providers: Object.fromEntries(
      Object.entries(providers).map(([channel, provider]) => [channel, provider && noted(provider)]),
    ),
    sleep: async () => undefined,
  })
}

async function plan({ as, channel, fallback }: (typeof WAYS)[number], nth: number, now: Date): Promise<void> {
  const template = [channel, fallback].includes('whatsapp') ? { content_sid: `HX${'0'.repeat(32)}` } : {}
  const content = {
    ...{ channel, fallback_channel: fallback, subject: `Novedades ${nth}`, body: `Hola, esto es ${nth}` },
    ...{ ...template, content_variables: {} },
  }
  const db = service()
  const p_now = now.toISOString()
  const p_organization = group.id
  if (as === 'automation') {
    const p_automation = await automate({ type: 'vip_reward', criteria: { min_spend: 100 }, ...content })
    const run = { p_organization, p_automation, p_triggered_by: 'manual', p_now }
    await db.rpc('enqueue_run', run).throwOnError()
    return
  }
  const [segment] = await sql<{ id: string }>(
    `insert into public.segments (organization_id, name, shared, definition)
     values ($1, $2, true, '{"field": "visits", "min": 0}') returning id::text`,
    [group.id, `Todos ${nth}`],
  )
  const messages = [{ step: 1, variant: 'a', ...content }]
  const p_fields = { name: `Campaña ${nth}`, segment_id: segment?.id, control_share: 0, messages }
  const saved = await db
    .rpc('save_campaign', { p_organization, p_id: null as never, p_fields: p_fields as never })
    .throwOnError()
  const p_campaign = (saved.data as { id: string }).id
  const launch = {
    p_organization,
    p_campaign,
    p_person: null as never,
    p_guests: 1_000_000,
    p_version: 1,
    p_now,
  }
  expect((await db.rpc('launch_campaign', launch).throwOnError()).data).toBe('launched')
  const planning = { db, organizationId: group.id, now: () => now, signal: new AbortController().signal }
  await planCampaign(planning, p_campaign, await providersFor(db, group.id))
}

it(`none of ${GUESTS} guests who said no is written to, and all others are (NO_SEED=${SEED})`, async () => {
  await arrive()
  for (const [nth, way] of WAYS.entries()) {
    const now = later(nth * 24 * 60)
    await some(0.03)
    await importSome()
    await mergeSome(Math.ceil(GUESTS / 100))
    const from = { texts: twilio.accepted.length, mails: resend.accepted.length }
    // As autovacuum does: what was written within seconds has no statistics.
    await sql('analyze')
    const saidBefore = new Set(model.said.keys())
    await plan(way, nth, now)
    await some(0.03)
    await mergeSome(Math.ceil(GUESTS / 200))
    await send(now)

    const about = `${way.as} ${way.channel} → ${way.fallback}`
    const sent = [
      ...texts().map((taken, place) => ({ taken, place, isNew: place >= from.texts })),
      ...mails().map((taken, place) => ({ taken, place, isNew: place >= from.mails })),
    ].filter(({ isNew }) => isNew)
    const wrong = sent.flatMap(({ taken, place }) => model.wrongWith(taken, place, way) ?? [])
    expect(wrong, about).toEqual([])
    const got = new Set(sent.map(({ taken }) => taken.address))
    // A message that waits where its guest then says no goes nowhere, though another address is open.
    const saidSince = (contact: string) => model.said.has(contact) && !saidBefore.has(contact)
    const missing = model
      .owed(way)
      .filter(({ contacts }) => ![...contacts].some((contact) => got.has(contact) || saidSince(contact)))
    expect(await Promise.all(missing.map(stateOf)), about).toEqual([])
    const [left] = await sql('select count(*)::int as n from public.messages where status in ($1, $2)', [
      'queued',
      'sending',
    ])
    expect(left, about).toEqual({ n: 0 })
  }
  // That the test tried what it says.
  expect([...used.keys()].sort()).toEqual([
    ...['a WhatsApp', 'a refused text', 'a text', 'bounce', 'complaint', 'link', 'link of a WhatsApp'],
    ...['link of an SMS', 'the provider’s STOP'],
  ])
  expect(model.said.size).toBeGreaterThan(GUESTS / 5)
  expect(saidMeanwhile).toBeGreaterThan(GUESTS / 30)
  expect(texts().length + mails().length).toBeGreaterThan(3 * GUESTS)
}, 3_600_000)
