import { NextRequest } from 'next/server'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { proxy } from '@/proxy'
import { POSTAL_ADDRESS } from '../factories/group'
import { RESEND, TWILIO } from '../factories/integrations'
import { noQuietHours } from '../factories/messaging'
import { signed } from '../fakes/resend/server'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import {
  app,
  group,
  guest,
  guests,
  resend,
  runAt,
  SITE,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// What came of a campaign, as the providers and the guests tell it: by version, guest by guest, and the message itself.
withDelivery()

let ana: Client
let bound: Client
let waiter: Client
let segment: string
let madrid: string
let canarias: string
beforeAll(async () => {
  ;[madrid, canarias] = group.locations.map(({ id }) => id) as [string, string]
  ana = await signedIn(await group.person('marketing'))
  bound = await signedIn(await group.person('marketing', [madrid]))
  waiter = await signedIn(await group.person('operaciones'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments', 'attempt_limits'))
  await sql(`delete from public.audit_log where action like 'recipients.%'`)
  await sql('update public.organizations set control_share = 0, campaign_approve_above = null')
  const made = await ask('POST', '/api/segments', {
    ...{ name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } },
  })
  segment = made.body.data.id
})

const ask = async (method: string, path: string, body?: object, client = ana) =>
  answer(await client.request(method, path, { body }))
const mail = {
  step: 1,
  channel: 'email',
  subject: 'Menú de {{ first_name }}',
  body: 'Ven, {{ first_name }}.',
}
const text = { step: 1, channel: 'sms', body: 'Ven, {{ first_name }}.' }

/** Launches a campaign and sends it; returns its id. */
async function sent(messages: object[], more: object = {}, toSend?: number): Promise<string> {
  const made = await ask('POST', '/api/campaigns', { name: 'Otoño', segment_id: segment, messages, ...more })
  const { id } = made.body.data
  const count = toSend ?? (await sql<{ n: number }>('select count(*)::int as n from public.customers'))[0]?.n
  const launched = await ask('POST', `/api/campaigns/${id}/launch`, { guests: count, version: 1 })
  expect(launched.status).toBe(200)
  await waitForDetachedWork()
  await runAt(new Date())
  return id
}
const AB = { ab: { test_share: 100, winner_by: 'clicks', test_hours: 24 } }
const people = (names: string[], more: object = {}) =>
  Promise.all(
    names.map((name, at) =>
      guest({ first_name: name, email: `${name}@example.com`, phone: `+3460000000${at + 1}`, ...more }),
    ),
  )

interface Version {
  variant: string
  [count: string]: unknown
}
const versions = async (id: string, client = ana) =>
  (await ask('GET', `/api/campaigns/${id}/results`, undefined, client)).body.data.versions as Version[]
const summed = async (id: string) => {
  const counts: Record<string, number> = {}
  for (const { variant: _, links: __, ...figures } of await versions(id))
    for (const [name, count] of Object.entries(figures)) counts[name] = (counts[name] ?? 0) + Number(count)
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
const recipients = async (id: string, query = '') =>
  (await ask('GET', `/api/campaigns/${id}/recipients?${query}`)).body.data as Record<string, unknown>[]
const told = async (id: string, outcome = '') =>
  (await recipients(id, outcome && `outcome=${outcome}`))
    .map((one) => `${one.customer_name} ${one.outcome}`)
    .sort()

const mailTo = (name: string, at = -1) => {
  const found = resend.accepted.filter(({ email }) => [email.to].flat()[0] === `${name}@example.com`).at(at)
  if (!found) throw new Error(`no e-mail to ${name}`)
  return found
}
/** What Resend reports of the e-mail to a guest, so many seconds from now. */
async function reports(name: string, type: string, seconds = 0, data: object = {}) {
  const at = new Date(Date.now() + seconds * 1000)
  const { id, email } = mailTo(name)
  const tags = Object.fromEntries(
    (email.tags as { name: string; value: string }[]).map((tag) => [tag.name, tag.value]),
  )
  const event = { email_id: id, created_at: at.toISOString(), to: [email.to].flat(), tags, ...data }
  const body = JSON.stringify({ type: `email.${type}`, created_at: at.toISOString(), data: event })
  const headers = signed(body, RESEND.webhook_secret, new Date())
  expect((await app.client().request('POST', '/api/webhooks/resend', { headers, body })).status).toBe(200)
}
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0'
const MENU = 'https://norte.example/carta'
const clicks = (name: string, seconds: number, link = MENU, userAgent = CHROME) => {
  const timestamp = new Date(Date.now() + seconds * 1000).toISOString()
  return reports(name, 'clicked', seconds, { click: { link, userAgent, timestamp } })
}
const linkIn = (name: string, at = -1) =>
  new RegExp(`${SITE}(/u/[\\w-]+\\?m=[\\w-]{21})`).exec(String(mailTo(name, at).email.text))?.[1] ?? ''
const oneClick = (path: string, body = 'List-Unsubscribe=One-Click') =>
  app.client().request('POST', `/api${path}`, {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('the results of a campaign', () => {
  it('say by version what guests did, as the provider reports it', async () => {
    await people(['ada', 'bea', 'cruz', 'dora', 'eva', 'fe'])
    const id = await sent([mail, { ...mail, variant: 'b' }], AB)
    for (const name of ['ada', 'bea', 'cruz', 'dora', 'eva']) await reports(name, 'delivered')
    await reports('ada', 'opened', 60)
    await clicks('bea', 70, `${MENU}?utm=1`)
    await clicks('bea', 80)
    await clicks('cruz', 90, MENU, 'curl/8')
    await reports('dora', 'opened', 1)
    await reports('eva', 'complained', 5)
    await reports('fe', 'bounced', 0, { bounce: { type: 'Permanent' } })
    expect(await summed(id)).toEqual({
      ...{ sent: 5, delivered: 5, opened: 2, clicked: 1, complained: 1, bounced: 1 },
    })
    const all = await versions(id)
    expect(all.map(({ variant }) => variant)).toEqual(['a', 'b'])
    const [theirs] = await recipients(id, 'outcome=clicked')
    expect(theirs).toMatchObject({ customer_name: 'bea', opened: true, clicked: true, status: 'delivered' })
    for (const { variant, links } of all)
      expect(links).toEqual(variant === theirs?.variant ? [{ url: MENU, clicks: 2, guests: 1 }] : [])
    expect(await told(id)).toEqual([
      ...['ada opened', 'bea clicked', 'cruz delivered', 'dora delivered', 'eva complained', 'fe bounced'],
    ])
    expect(await told(id, 'opened')).toEqual(['ada opened', 'bea clicked'])
    expect(await told(id, 'delivered')).toHaveLength(5)
    expect(await told(id, 'bounced')).toEqual(['fe bounced'])
    expect(await told(id, 'failed')).toEqual([])
    for (const [name, count] of Object.entries(await summed(id)))
      expect([name, await told(id, name)]).toEqual([name, expect.objectContaining({ length: count })])
  })

  it('count a follow-up with the version that its guest got first', async () => {
    // So many that each version has some.
    await guests(40)
    const later = { ...mail, step: 2, after_days: 1, body: 'Aún queda sitio.' }
    const id = await sent([mail, { ...mail, variant: 'b' }, later], AB)
    const first = await versions(id)
    await sql(`update public.campaigns set winner = 'a', decided_at = now(), winner_reason = 'too_few'`)
    await sql(`update public.messages set sent_at = sent_at - interval '2 days',
      created_at = created_at - interval '2 days'`)
    await runAt(new Date())
    const second = await versions(id)
    expect(second.map(({ sent }) => sent)).toEqual(first.map(({ sent }) => 2 * Number(sent)))
    expect(first.every(({ sent }) => Number(sent) > 0)).toBe(true)
    const rows = await recipients(id, 'limit=200')
    expect(rows).toHaveLength(80)
    const versionsOf = (step: number) =>
      rows
        .filter((one) => one.step === step)
        .map((one) => `${one.customer_name} ${one.variant}`)
        .sort()
    expect(versionsOf(2)).toEqual(versionsOf(1))
  })

  it('say what the sandbox took, what waits, and what was left out', async () => {
    await people(['ada', 'bea'])
    await guest({ first_name: 'muda', email: null, phone: null })
    const id = await sent([mail], {}, 2)
    await sql(`update public.messages set provider = 'sandbox' where recipient = 'ada@example.com'`)
    await sql(
      `update public.messages set status = 'queued', sent_at = null where recipient = 'bea@example.com'`,
    )
    expect(await summed(id)).toEqual({ sent: 1, simulated: 1 })
    expect(await told(id)).toEqual(['ada simulated', 'bea pending', 'muda skipped'])
    for (const outcome of ['simulated', 'sent']) expect(await told(id, outcome)).toEqual(['ada simulated'])
    expect(await told(id, 'pending')).toEqual(['bea pending'])
    expect(await told(id, 'skipped')).toEqual(['muda skipped'])
  })

  it('are those of the locations where someone works, and theirs alone', async () => {
    await people(['ada'], { location_id: madrid })
    await guest({ first_name: 'isla', email: 'isla@example.com', location_id: canarias })
    const everywhere = await sent([mail])
    const theirs = await sent([mail], { name: 'Madrid', location_ids: [madrid] }, 1)
    expect((await versions(theirs, bound))[0]).toMatchObject({ sent: 1 })
    const paths = ['results', 'recipients', 'recipients?format=csv', 'sent']
    for (const path of paths) {
      expect((await bound.request('GET', `/api/campaigns/${theirs}/${path}`)).status).toBe(200)
      expect((await bound.request('GET', `/api/campaigns/${everywhere}/${path}`)).status).toBe(404)
      expect((await waiter.request('GET', `/api/campaigns/${theirs}/${path}`)).status).toBe(403)
      expect((await app.client().request('GET', `/api/campaigns/${theirs}/${path}`)).status).toBe(401)
      expect((await ana.request('GET', `/api/campaigns/${crypto.randomUUID()}/${path}`)).status).toBe(404)
    }
    // A guest who has moved since: their message stays with the location it was sent for.
    await sql('update public.messages set location_id = $1 where automation_id = $2', [canarias, theirs])
    expect((await versions(theirs, bound))[0]).toMatchObject({ sent: 0 })
    const seen = await ask('GET', `/api/campaigns/${theirs}/recipients`, undefined, bound)
    expect(seen.body).toEqual({ data: [], next_cursor: null })
  })
})

describe('an opt-out', () => {
  it('by the link of a message counts for its campaign, once, until it is taken back', async () => {
    await people(['ada', 'bea'])
    const before = await sent([mail])
    const id = await sent([mail], { name: 'Invierno' })
    const link = linkIn('ada')
    // As a mail program does: the proxy passes the message on.
    const through = await proxy(new NextRequest(SITE + link, { method: 'POST' }))
    expect(through.headers.get('x-middleware-rewrite')).toBe(`${SITE}/api${link}`)
    for (const _ of [1, 2]) expect((await oneClick(link)).status).toBe(200)
    expect((await versions(id))[0]).toMatchObject({ unsubscribed: 1 })
    expect((await versions(before))[0]).toMatchObject({ unsubscribed: 0 })
    expect(await told(id, 'unsubscribed')).toEqual(['ada unsubscribed'])
    // She had left already when she used the older link.
    expect((await oneClick(linkIn('ada', 0))).status).toBe(200)
    expect((await versions(before))[0]).toMatchObject({ unsubscribed: 0 })
    expect((await oneClick(link, 'action=undo')).status).toBe(303)
    expect((await versions(id))[0]).toMatchObject({ unsubscribed: 0 })
  })

  it('is credited to no message that went to someone else, and works without one', async () => {
    await people(['ada', 'bea', 'cruz'])
    const id = await sent([mail])
    const [token, bea] = [linkIn('ada').split('?')[0], linkIn('bea').split('?m=')[1]]
    expect((await oneClick(`${token}?m=${bea}`)).status).toBe(200)
    expect((await oneClick(String(linkIn('bea').split('?')[0]))).status).toBe(200)
    expect((await oneClick(`${linkIn('cruz').split('?')[0]}?m=${'x'.repeat(500)}`)).status).toBe(200)
    expect((await versions(id))[0]).toMatchObject({ unsubscribed: 0 })
    expect(await sql(`select reason from public.suppressions`)).toHaveLength(3)
  })

  it('by an answer counts for the last message to the number, when that is marketing', async () => {
    await people(['ada', 'bea'])
    const id = await sent([text])
    const stop = (phone: string) =>
      twilio.inbound({ from: phone, to: TWILIO.sms_from, body: 'BAJA', url: `${SITE}/api/webhooks/twilio` })
    expect((await stop('+34600000001')).status).toBe(200)
    expect((await versions(id))[0]).toMatchObject({ sent: 2, unsubscribed: 1 })
    await sql(`update public.messages set kind = 'transactional' where recipient = '+34600000002'`)
    await stop('+34600000002')
    expect((await versions(id))[0]).toMatchObject({ unsubscribed: 1 })
  })
})

describe('the recipients', () => {
  it('come page by page, each once', async () => {
    await people(['ada', 'bea', 'cruz', 'dora', 'eva'])
    const id = await sent([mail, { ...mail, variant: 'b' }], AB)
    const seen: unknown[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const path = `/api/campaigns/${id}/recipients?outcome=sent&limit=2${cursor ? `&cursor=${cursor}` : ''}`
      const { body } = await ask('GET', path)
      expect(body.data.length).toBeLessThanOrEqual(2)
      for (const one of body.data) seen.push(one.customer_name)
      cursor = body.next_cursor
      pages++
    } while (cursor)
    expect([pages, seen.sort()]).toEqual([3, ['ada', 'bea', 'cruz', 'dora', 'eva']])
    expect((await ask('GET', `/api/campaigns/${id}/recipients?outcome=gone`)).status).toBe(400)
    expect(await ask('GET', `/api/campaigns/${id}/recipients?cursor=x`)).toEqual(refusal('MALFORMED_CURSOR'))
  })

  it('go into a file whose cells no spreadsheet runs, and which the log knows', async () => {
    await guest({ first_name: '=cmd|calc', email: 'ada@example.com' })
    await guest({ first_name: 'bea', email: 'bea@example.com' })
    const id = await sent([mail])
    await reports('bea', 'bounced', 0, { bounce: { type: 'Transient' } })
    const file = await ana.request('GET', `/api/campaigns/${id}/recipients?format=csv&outcome=sent`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const [header, ...rows] = csvRows(await file.text())
    expect(header?.slice(1, 6)).toEqual(['Cliente', 'Canal', 'Mensaje', 'Versión', 'Resultado'])
    expect(rows.map((row) => row.slice(1, 6))).toEqual([["'=cmd|calc", 'Correo', '1', 'A', 'enviado']])
    const english = await ana.request('GET', `/api/campaigns/${id}/recipients?format=csv&language=en`)
    expect(csvRows(await english.text(), ',').map((row) => row[5])).toContain('bounced')
    const lines = await sql<object>(
      `select action, details from public.audit_log where action like 'recipients.%' order by created_at limit 2`,
    )
    const filters = { campaign_id: id, outcome: 'sent' }
    expect(lines).toEqual([
      { action: 'recipients.exported', details: { filters } },
      { action: 'recipients.export_ended', details: { filters, rows: 1 } },
    ])
    const headers = { 'sec-fetch-site': 'cross-site' }
    const elsewhere = await ana.request('GET', `/api/campaigns/${id}/recipients?format=csv`, { headers })
    expect(elsewhere.status).toBe(403)
  })
})

describe('the message as it was sent', () => {
  it('is for nobody: no link in it is a guest’s, nor is the name', async () => {
    await guest({ first_name: 'Zoraida', email: 'zoraida@example.com' })
    const body = 'Ven, {{ first_name }}: {{ unsubscribe_url }}'
    const id = await sent([mail, { ...mail, variant: 'b', body }], AB)
    const read = async (query = '') => (await ask('GET', `/api/campaigns/${id}/sent?${query}`)).body.data
    const a = await read()
    expect(a).toMatchObject({ step: 1, variant: 'a', channel: 'email', subject: 'Menú de Ana' })
    expect(a.text).toMatch(
      new RegExp(`^Ven, Ana\\.\\s+Grupo Entrega\\n${POSTAL_ADDRESS}\\s+--\\nDarse de baja`),
    )
    expect(a.html).toContain('Ven, Ana.')
    const b = await read('variant=b&language=es')
    expect(b.text).toContain('Ven, Ana: https://unsubscribe.invalid/')
    for (const part of [a.text, a.html, b.text, b.html]) {
      expect(part).toContain('https://unsubscribe.invalid/')
      expect(part).not.toMatch(/\/u\/|\/f\/|Zoraida/)
    }
    expect((await ask('GET', `/api/campaigns/${id}/sent?step=2`)).status).toBe(404)
  })

  it('is not there before the campaign begins, and of an SMS has the way out', async () => {
    await people(['ada'])
    const made = await ask('POST', '/api/campaigns', {
      ...{ name: 'Borrador', segment_id: segment, messages: [text] },
    })
    expect((await ask('GET', `/api/campaigns/${made.body.data.id}/sent`)).status).toBe(404)
    const id = await sent([text])
    const { body } = await ask('GET', `/api/campaigns/${id}/sent`)
    expect(body.data).toMatchObject({ channel: 'sms', subject: null, html: null })
    expect(body.data.text).toMatch(/^Ven, Ana\.\nBAJA al \+34/)
  })
})
