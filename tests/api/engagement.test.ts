import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerTimeline } from '@/lib/customers/timeline'
import { tidyUp } from '@/lib/jobs/tidy-up'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { connect, RESEND } from '../factories/integrations'
import { createAutomation, createCustomer } from '../factories/messaging'
import { signed } from '../fakes/resend/server'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const PUBLIC = 'https://crm.example'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
const APPLE = 'Mozilla/5.0'
const MENU = 'https://norte.example/carta'
const TAKEN = { status: 200, body: { success: true } }
const SENT = Date.now() - 3_600_000

let app: TestApp
let group: Group
let other: Group
let boss: Client
let person: Person
let automation: string
let ana: string

beforeAll(async () => {
  app = await startApp({ APP_URL: PUBLIC })
  group = await createGroup(app.stack, 'Grupo Abierto', [{ name: 'Norte', slug: 'norte' }])
  other = await createGroup(app.stack, 'Otro Abierto')
  await connect(app.stack, group.id, 'resend', RESEND)
  await connect(app.stack, other.id, 'resend', { ...RESEND, webhook_secret: 'whsec_b3RoZXI=' })
  person = await group.person('admin')
  boss = await signedIn(person)
})
beforeEach(async () => {
  automation = await createAutomation(app.stack, group.id, { type: 'vip_reward' })
  ana = await createCustomer(app.stack, group.id, { first_name: 'Ana', email: 'ana@example.com' })
})
afterEach(() => sql(emptyTables('automations', 'messages', 'customers')))
afterAll(() => app?.close())

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const later = (seconds: number) => new Date(SENT + seconds * 1000)

interface Email {
  id: string
  providerId: string
}

let count = 0
/** An e-mail sent an hour ago; `more` are columns that differ. */
async function emailed(more: Record<string, unknown> = {}): Promise<Email> {
  const row = {
    organization_id: group.id,
    automation_id: automation,
    customer_id: ana,
    kind: 'marketing',
    purpose: 'post_visit',
    channel: 'email',
    status: 'delivered',
    attempts: 1,
    dedupe_key: `e${++count}`,
    provider: 'resend',
    provider_id: randomUUID(),
    created_at: later(-5),
    sent_at: later(-4),
    delivered_at: later(0),
    ...more,
  }
  const columns = Object.keys(row).join(', ')
  const [made] = await sql<{ id: string; provider_id: string | null }>(
    `insert into public.messages (${columns})
     select ${columns} from jsonb_populate_record(null::public.messages, $1::jsonb) returning id::text, provider_id`,
    [JSON.stringify(row)],
  )
  return { id: made?.id ?? '', providerId: made?.provider_id ?? randomUUID() }
}

interface Report {
  secret?: string
  svix?: string
}

/** A signed webhook about the e-mail, `seconds` after its delivery. */
async function report(
  { id, providerId }: Email,
  type: string,
  seconds: number,
  details: object = {},
  { secret = RESEND.webhook_secret, svix }: Report = {},
) {
  const at = later(seconds).toISOString()
  const data = { email_id: providerId, created_at: at, to: ['ana@example.com'], tags: { message_id: id } }
  const body = JSON.stringify({ type: `email.${type}`, created_at: at, data: { ...data, ...details } })
  return answer(
    await app.client().request('POST', '/api/webhooks/resend', {
      headers: signed(body, secret, new Date(), svix),
      body,
    }),
  )
}
const opened = (email: Email, seconds: number, userAgent?: string, how?: Report) =>
  report(email, 'opened', seconds, userAgent ? { open: { userAgent } } : {}, how)
const clicked = (email: Email, seconds: number, link = MENU, userAgent = CHROME, how?: Report) =>
  report(
    email,
    'clicked',
    seconds,
    {
      click: { ipAddress: '203.0.113.7', link, timestamp: later(seconds).toISOString(), userAgent },
    },
    how,
  )
/** `click person https://… 2`. */
const summary = async () =>
  (
    await sql<{ line: string }>(
      `select concat_ws(' ', kind, actor, nullif(link, ''), times) as line from public.message_engagement order by 1`,
    )
  ).map(({ line }) => line)
const results = async () => {
  const found = (await answer(await boss.request('GET', `/api/automations/${automation}/results`))).body as {
    data: { messages: Record<string, number>; links: object[] }
  }
  const { emails, opened: certain, maybe_opened, clicked: clicks } = found.data.messages
  return { figures: [emails, certain, maybe_opened, clicks], links: found.data.links }
}

describe('opens and clicks', () => {
  it('are recorded by who did them, and only those of persons count', async () => {
    const [one, two, three, four] = [await emailed(), await emailed(), await emailed(), await emailed()]
    await emailed({ channel: 'sms', provider: 'twilio' })
    await emailed({ status: 'failed' })
    expect(await opened(one, 60, GMAIL)).toEqual(TAKEN)
    await opened(one, 600, GMAIL)
    await clicked(one, 700, `${MENU}?utm_source=x`)
    await opened(two, 60, APPLE)
    await opened(three, 60)
    await clicked(four, 60, `${PUBLIC}/u/sealed.token`)
    expect(await summary()).toEqual([
      `click person ${MENU} 1`,
      'click person unsubscribe 1',
      'open machine 1',
      'open person 2',
      'open unknown 1',
    ])
    expect(await results()).toEqual({
      figures: [4, 2, 3, 1],
      links: [
        { link: MENU, clicked: 1 },
        { link: 'unsubscribe', clicked: 1 },
      ],
    })
    const rows = await sql('select customer_id::text, automation_id::text from private.clicked_of($1)', [
      [automation],
    ])
    expect(rows).toEqual([{ customer_id: ana, automation_id: automation }])
  })

  it('never store from where', async () => {
    await clicked(await emailed(), 60, `${MENU}?guest=ana@example.com`)
    const stored = await sql<{ text: string }>(
      `select e::text || g::text as text from private.engagement_events e join public.message_engagement g using (message_id)`,
    )
    expect(stored).toHaveLength(1)
    expect(stored[0]?.text).not.toMatch(/203\.0|ana@/)
  })

  it('of a scanner that follows all links at once do not count, though the first looked like a person’s', async () => {
    const email = await emailed()
    await clicked(email, 60, MENU)
    expect((await results()).figures).toEqual([1, 1, 1, 1])
    await clicked(email, 61, `${PUBLIC}/u/sealed.token`)
    expect((await results()).figures).toEqual([1, 0, 0, 0])
    await clicked(email, 900, MENU)
    expect(await summary()).toEqual([
      `click machine ${MENU} 1`,
      'click machine unsubscribe 1',
      `click person ${MENU} 1`,
    ])
    expect((await results()).figures).toEqual([1, 1, 1, 1])
  })

  it('may come before the delivery is known, whose time decides what was too early', async () => {
    const email = await emailed({ status: 'sent', delivered_at: null, sent_at: later(-60) })
    await opened(email, 3, GMAIL)
    expect(await summary()).toEqual(['open person 1'])
    await report(email, 'delivered', 0)
    expect(await summary()).toEqual(['open machine 1'])
  })

  it('may come before the provider’s id is stored', async () => {
    const lost = await emailed({ status: 'sending', provider: null, provider_id: null, sent_at: null })
    await opened(lost, 60, GMAIL)
    expect(await summary()).toEqual(['open person 1'])
  })

  it('come out the same in any order, at once, and however often they are sent', async () => {
    const email = await emailed()
    const send = [
      () => opened(email, 60, GMAIL, { svix: 'msg_1' }),
      () => clicked(email, 120, MENU, CHROME, { svix: 'msg_2' }),
      () => clicked(email, 121, `${MENU}/vinos`, CHROME, { svix: 'msg_3' }),
      () => clicked(email, 900, MENU, CHROME, { svix: 'msg_4' }),
      () => report(email, 'delivered', 0),
    ]
    const expected = [
      `click machine ${MENU} 1`,
      `click machine ${MENU}/vinos 1`,
      `click person ${MENU} 1`,
      'open person 1',
    ]
    for (const answers of [
      await Promise.all(send.map((one) => one())),
      await Promise.all([...send].reverse().map((one) => one())),
    ]) {
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(await summary()).toEqual(expected)
    }
  })

  it('are bounded, in number and in length', async () => {
    const email = await emailed()
    await sql(
      `insert into private.engagement_events (message_id, receipt, organization_id, kind, link, agent, at, received_at)
       select $1, 'r' || n, $2, 'open', '', $3, $4, now() from generate_series(1, 99) n`,
      [email.id, group.id, GMAIL, later(60)],
    )
    await clicked(email, 300, `https://norte.example/${'x'.repeat(2000)}`, CHROME + 'y'.repeat(5000))
    await opened(email, 300, GMAIL)
    expect(await sql('select count(*)::int as n from private.engagement_events')).toEqual([{ n: 100 }])
    const [click] = await summary()
    expect(click).toMatch(/^click person https:\/\/norte\.example\/x+ 1$/)
    expect(click?.length).toBe('click person '.length + 300 + ' 1'.length)
  })
})

describe('what is taken quietly, and not recorded', () => {
  it.each([
    ['an unknown message', () => ({ id: randomUUID(), providerId: randomUUID() })],
    ['a notice to staff', () => emailed({ kind: 'notification', automation_id: null, customer_id: null })],
    [
      'a message of long ago',
      () =>
        emailed({
          created_at: new Date(Date.now() - 31 * 86_400_000),
          sent_at: new Date(Date.now() - 31 * 86_400_000),
        }),
    ],
  ])('%s', async (_, about) => {
    const email = await about()
    expect(await opened(email, 60, GMAIL)).toEqual(TAKEN)
    expect(await clicked(email, 60)).toEqual(TAKEN)
    expect(await summary()).toEqual([])
  })

  it('a message of another organization', async () => {
    const email = await emailed()
    expect(await clicked(email, 60, MENU, CHROME, { secret: 'whsec_b3RoZXI=' })).toEqual(TAKEN)
    expect(await summary()).toEqual([])
  })

  it('a click on no web address, or one without details', async () => {
    const email = await emailed()
    expect(await clicked(email, 60, 'javascript:alert(1)')).toEqual(TAKEN)
    expect(await report(email, 'clicked', 60)).toEqual(TAKEN)
    expect(await report(email, 'clicked', 60, { click: 'x' })).toEqual(TAKEN)
    expect(await summary()).toEqual([])
  })
})

it('the guest’s timeline says what they opened and clicked, and nothing of machines', async () => {
  const [one, two] = [await emailed(), await emailed()]
  await opened(one, 60, GMAIL)
  await clicked(one, 120)
  await opened(two, 60, APPLE)
  const found = await customerTimeline({ db: person.db }, ana, { kinds: ['message'] })
  const marks = new Map(
    found.data.map((event) => [event.id, event.kind === 'message' ? event.details : null]),
  )
  expect(new Date(marks.get(one.id)?.opened_at ?? 0)).toEqual(later(60))
  expect(new Date(marks.get(one.id)?.clicked_at ?? 0)).toEqual(later(120))
  expect(marks.get(two.id)).toMatchObject({ opened_at: null, clicked_at: null })
})

it('a merge keeps the opens and clicks with the message', async () => {
  await clicked(await emailed(), 60)
  const kept = await createCustomer(app.stack, group.id, { first_name: 'Ana', phone: '+34600000001' })
  const merged = await boss.request('POST', `/api/customers/${kept}/merge`, {
    body: { duplicate_id: ana, fields: [] },
  })
  expect(merged.status).toBe(200)
  const rows = await sql('select customer_id::text from private.clicked_of($1)', [[automation]])
  expect(rows).toEqual([{ customer_id: kept }])
})

it('an erasure removes them', async () => {
  await clicked(await emailed(), 60)
  expect((await boss.request('DELETE', `/api/customers/${ana}`)).status).toBe(204)
  expect(await summary()).toEqual([])
  expect(await sql('select 1 from private.engagement_events')).toEqual([])
  expect(await sql('select status from public.messages')).toEqual([{ status: 'delivered' }])
})

it('the events go after 31 days, the figures stay', async () => {
  const email = await emailed()
  await clicked(email, 60)
  const tidy = (days: number) =>
    tidyUp({
      db: stackClient(app.stack, 'service'),
      now: new Date(Date.now() + days * 86_400_000),
      signal: new AbortController().signal,
    })
  const events = () => sql<{ n: number }>('select count(*)::int as n from private.engagement_events')
  await tidy(30.9)
  expect(await events()).toEqual([{ n: 1 }])
  await tidy(31.1)
  expect(await events()).toEqual([{ n: 0 }])
  expect(await summary()).toEqual([`click person ${MENU} 1`])
})
