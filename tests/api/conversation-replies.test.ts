import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InboundMessage } from '../fakes/twilio/server'
import type { Client } from '../support/app'
import { app, group, guest, runAt, SITE, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

withDelivery({ MESSAGE_SANDBOX: '0' })
const US = '+34900000001'
const ANA = '+34600001000'
let desk: Client
let hall: Client
let ana: string
beforeAll(async () => {
  desk = await signedIn(await group.person('operaciones'))
  hall = await signedIn(await group.person('sala'))
})
beforeEach(async () => {
  await sql(emptyTables('customers', 'tickets', 'conversations'))
  ana = await guest({ first_name: 'Ana', last_name: 'Ruiz', phone: ANA })
})

const write = async (body: string, from = ANA, more: Partial<InboundMessage> = {}) => {
  const to = from.startsWith('whatsapp:') ? `whatsapp:${US}` : US
  const response = await twilio.inbound({ from, to, body, url: `${SITE}/api/webhooks/twilio`, ...more })
  expect(response.status).toBe(200)
}
const ask = async (method: string, path: string, body?: unknown, as = desk) =>
  answer(await as.request(method, `/api/conversations${path}`, { body }))
const list = async (query = '') => (await ask('GET', query)).body.data
const open = async (id: string) => (await ask('GET', `/${id}`)).body.data
const first = async () => (await list())[0].id as string
const reply = async (text: string, { id = '', as = desk, key = '' } = {}) => {
  const path = `/api/conversations/${id || (await first())}/reply`
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
  return answer(await as.request('POST', path, { body: { text }, headers }))
}
const arrived = () => twilio.accepted.map(({ form: { To, Body } }) => ({ to: To, body: Body }))
const ago = (hours: number) =>
  sql(`update public.conversations set last_inbound_at = now() - make_interval(mins => $1)`, [hours * 60])

describe('the inbox', () => {
  it('lists the latest first with their last text, and counts what nobody has read', async () => {
    await write('Hola', '+34600001007')
    await write('¿Tenéis trona?', `whatsapp:${ANA}`)
    await write('¿Y parking?', `whatsapp:${ANA}`, { media: ['image/png'] })
    const [latest, other] = await list()
    expect(latest).toEqual({
      ...{ id: expect.any(String), customer_id: ana, customer_name: 'Ana Ruiz', allergies: [] },
      ...{ channel: 'whatsapp', address: ANA, last_text: '¿Y parking?', last_media: 'image' },
      ...{ last_direction: 'in', last_at: expect.any(String), unread: 2 },
      can_reply_until: expect.any(String),
    })
    expect(Date.parse(latest.can_reply_until) - Date.parse(latest.last_at)).toBeGreaterThan(86_399_000)
    expect(other).toMatchObject({ customer_id: null, customer_name: null, can_reply_until: null, unread: 1 })
    expect((await ask('POST', `/${latest.id}/read`)).body.data).toEqual({ id: latest.id, unread: 0 })
    expect(await list('?unread=true')).toMatchObject([{ id: other.id }])
    expect(await list('?unread=false')).toMatchObject([{ id: latest.id }])
    expect(await list(`?customer_id=${ana}`)).toMatchObject([{ id: latest.id }])
  })

  it('goes page by page, and within a conversation to its beginning', async () => {
    for (const n of [1, 2, 3]) await write(`Hola ${n}`, `+3460000200${n}`)
    const page = await ask('GET', '?limit=2')
    expect(page.body.data).toHaveLength(2)
    const rest = await ask('GET', `?limit=2&cursor=${page.body.next_cursor}`)
    expect(rest.body).toMatchObject({ data: [{ last_text: 'Hola 1' }], next_cursor: null })
    const id = rest.body.data[0].id
    await sql(
      `insert into public.conversation_messages (organization_id, conversation_id, direction, text, provider_id, at)
       select $1, $2, 'in', 'Texto ' || n, 'x' || n, now() - make_interval(mins => n) from generate_series(1, 130) n`,
      [group.id, id],
    )
    const latest = await open(id)
    expect([latest.texts.length, latest.texts.at(-1).text]).toEqual([100, 'Hola 1'])
    const earlier = (await ask('GET', `/${id}?cursor=${latest.earlier_cursor}`)).body.data
    expect([earlier.texts.length, earlier.texts[0].text, earlier.earlier_cursor]).toEqual([
      31,
      'Texto 130',
      null,
    ])
  })

  it('is on the guest’s timeline, with our answers', async () => {
    await write('¿Tenéis trona?')
    await reply('Sí')
    const rows = await sql<{ direction: string; text: string }>(
      `select details ->> 'direction' as direction, details ->> 'text' as text
       from public.customer_timeline($1, array['conversation', 'message'])`,
      [ana],
    )
    expect(rows).toEqual([
      { direction: 'out', text: 'Sí' },
      { direction: 'in', text: '¿Tenéis trona?' },
    ])
  })

  it('is closed to who may not see guests’ contact data', async () => {
    await write('Hola')
    const id = await first()
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}/reply`, { text: 'Hola' }],
      ['POST', `/${id}/read`],
    ] as const)
      expect(await ask(method, path, body, hall)).toEqual(refusal('FORBIDDEN'))
    expect(arrived()).toEqual([])
  })
})

describe('a reply', () => {
  it('goes once by the channel they wrote by, with what became of it, and marks the conversation read', async () => {
    await write('¿Tenéis trona?')
    const id = await first()
    expect(await reply('  Sí, dos.  ', { key: 'una' })).toEqual({
      status: 201,
      body: { data: { id: expect.any(String), conversation_id: id, channel: 'sms' } },
    })
    expect((await reply('  Sí, dos.  ', { key: 'una' })).status).toBe(201)
    await runAt(new Date())
    expect(arrived()).toEqual([{ to: ANA, body: 'Sí, dos.' }])
    const ours = async () => (await open(id)).texts.at(-1)
    expect(await ours()).toMatchObject({
      ...{ direction: 'out', text: 'Sí, dos.', status: 'sent', reason: null, simulated: false },
      sent_by: expect.any(String),
    })
    await twilio.report(twilio.accepted[0]?.sid ?? '', { status: 'delivered' })
    expect(await ours()).toMatchObject({ status: 'delivered' })
    expect(await list()).toMatchObject([{ unread: 0, last_text: 'Sí, dos.', last_direction: 'out' }])
    const logged = await sql(
      `select details from public.audit_log where action = 'conversation.replied' and subject_id = $1`,
      [id],
    )
    expect(logged).toEqual([{ details: { channel: 'sms' } }])
  })

  it('that the provider did not take waits for the next run, and arrives once', async () => {
    await write('Hola')
    twilio.setFault({ kind: 'rate_limit', retryAfter: 30 })
    expect((await reply('Buenas')).status).toBe(201)
    expect(arrived()).toEqual([])
    twilio.setFault(null)
    for (const minutes of [60, 61]) await runAt(new Date(Date.now() + minutes * 60_000))
    expect(arrived()).toEqual([{ to: ANA, body: 'Buenas' }])
  })

  it('says why it failed', async () => {
    await write('Hola')
    await reply('Buenas')
    await twilio.report(twilio.accepted[0]?.sid ?? '', { status: 'undelivered', errorCode: 30003 })
    expect((await open(await first())).texts.at(-1)).toMatchObject({
      status: 'failed',
      reason: 'unreachable',
    })
  })

  it('goes by WhatsApp for 24 hours after their last text, by SMS at any time', async () => {
    await write('Hola', `whatsapp:${ANA}`)
    await ago(23.9)
    expect((await reply('Buenas')).status).toBe(201)
    await ago(24.1)
    expect(await reply('¿Sigues ahí?')).toEqual(refusal('NEEDS_TEMPLATE'))
    expect((await open(await first())).reply_obstacle).toBe('needs_template')
    await write('Sí', `whatsapp:${ANA}`)
    expect((await reply('¡Bien!')).status).toBe(201)
    await write('Y por SMS')
    await ago(24 * 60)
    expect(await reply('Hola')).toMatchObject({ status: 201, body: { data: { channel: 'sms' } } })
    expect(arrived().map(({ to }) => to)).toEqual([`whatsapp:${ANA}`, `whatsapp:${ANA}`, ANA])
  })

  it.each([
    ['SMS', ANA],
    ['WhatsApp', `whatsapp:${ANA}`],
  ])(
    'by %s is refused after their STOP by the other channel, also when they wrote since',
    async (_, from) => {
      await write('Hola', from)
      await write('STOP', from === ANA ? `whatsapp:${ANA}` : ANA)
      expect(await reply('Buenas')).toEqual(refusal('OPTED_OUT'))
      await write('¿Abrís el lunes?', from)
      expect(await reply('Sí')).toEqual(refusal('OPTED_OUT'))
      expect((await open(await first())).reply_obstacle).toBe('opted_out')
      expect(arrived()).toEqual([])
      await write('ALTA', from)
      expect((await reply('Sí')).status).toBe(201)
    },
  )

  it('is refused to who opted out by staff at their first number, and to a number that bounced', async () => {
    await write('Hola')
    const suppress = (reason: string) =>
      sql(
        `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'sms', $2, $3)
         on conflict (organization_id, channel, address) do update set reason = excluded.reason`,
        [group.id, ANA, reason],
      )
    await suppress('manual')
    expect(await reply('Buenas')).toEqual(refusal('OPTED_OUT'))
    await sql('delete from public.suppressions')
    await suppress('bounce')
    expect(await reply('Buenas')).toEqual(refusal('UNREACHABLE'))
  })

  it('needs a provider of its channel', async () => {
    await write('Hola')
    const id = await first()
    await sql(`delete from public.integration_configs where integration_type = 'twilio'`)
    expect(await reply('Buenas')).toEqual(refusal('NO_PROVIDER'))
    expect((await open(id)).reply_obstacle).toBe('no_provider')
  })

  it('has words, 1,600 characters at most, and a conversation of the group', async () => {
    await write('Hola')
    expect(await reply('  ')).toEqual(invalid('text'))
    expect(await reply('x'.repeat(1601))).toEqual(invalid('text'))
    expect(await reply('Hola', { id: randomUUID() })).toEqual(refusal('NOT_FOUND'))
    expect(await ask('POST', `/${randomUUID()}/read`)).toEqual(refusal('NOT_FOUND'))
  })
})

describe('the guest’s own data', () => {
  const TRACES = ['conversations', 'conversation_messages', 'messages', 'tickets']
  const traces = async (pattern: string) => {
    const found: string[] = []
    for (const table of TRACES)
      if (
        (await sql(`select 1 from public.${table} t where to_jsonb(t)::text ~ $1 limit 1`, [pattern])).length
      )
        found.push(table)
    return found
  }

  it('is in their file, and gone with them: also what they wrote before we knew them', async () => {
    const boss = await signedIn(await group.person('admin'))
    await write('Soy celíaca', '+34600001007')
    const luz = await guest({ first_name: 'Luz', phone: '+34600001007' })
    await write('Escribo celíaca por WhatsApp', 'whatsapp:+34600001007')
    await write('Otra cosa')
    await reply('Apuntado, celíaca', {
      id: (await list()).find(({ channel }: { channel: string }) => channel === 'whatsapp').id,
    })
    const file = (await answer(await boss.request('GET', `/api/customers/${luz}/export`))).body
    expect(file.conversations).toMatchObject([
      {
        channel: 'whatsapp',
        texts: [{ text: 'Escribo celíaca por WhatsApp' }, { direction: 'out', text: 'Apuntado, celíaca' }],
      },
    ])
    expect(await traces('celíaca|600001007')).toEqual(TRACES)
    expect((await boss.request('DELETE', `/api/customers/${luz}`)).status).toBe(204)
    expect(await traces('celíaca|600001007')).toEqual([])
    expect(await list()).toMatchObject([{ customer_id: ana }])
  })

  it('moves with a merge, and back with its undo', async () => {
    const boss = await signedIn(await group.person('admin'))
    await write('Hola')
    const eva = await guest({ first_name: 'Ana', last_name: 'Ruiz', email: 'eva@correo.example' })
    const merged = await answer(
      await boss.request('POST', `/api/customers/${eva}/merge`, { body: { duplicate_id: ana } }),
    )
    expect(merged.status).toBe(200)
    expect(await list()).toMatchObject([{ customer_id: eva, unread: 1 }])
    const [merge] = (await answer(await boss.request('GET', `/api/customers/${eva}/merges`))).body.data
    expect((await boss.request('POST', `/api/customer-merges/${merge.id}/undo`)).status).toBe(200)
    expect(await list()).toMatchObject([{ customer_id: ana }])
  })
})

it('of another group is nobody’s here', async () => {
  await write('Hola')
  const { createGroup } = await import('../factories/group')
  const others = await createGroup(app.stack, 'Grupo Ajeno', [{ name: 'Lejos', slug: 'lejos' }])
  const stranger = await signedIn(await others.person('admin'))
  const id = await first()
  expect((await ask('GET', '', undefined, stranger)).body.data).toEqual([])
  expect(await ask('GET', `/${id}`, undefined, stranger)).toEqual(refusal('NOT_FOUND'))
  expect(await ask('POST', `/${id}/reply`, { text: 'x' }, stranger)).toEqual(refusal('NOT_FOUND'))
})
