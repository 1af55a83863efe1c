import { NextRequest } from 'next/server'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pageOfMessage, readSubscription } from '@/lib/messaging/unsubscribe'
import { POSTAL_ADDRESS } from '../factories/group'
import { connect, TWILIO } from '../factories/integrations'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import {
  app,
  automate,
  bySms,
  group,
  guest,
  guests,
  resend,
  runAt,
  SITE,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

// What a marketing manager cannot send: the check before sending, and the law in each message, on the wire.
withDelivery()

let ana: Client
let segment: string
beforeAll(async () => {
  ana = await signedIn(await group.person('marketing'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments'))
  await sql('update public.organizations set control_share = 0, postal_address = $1, sms_price = null', [
    POSTAL_ADDRESS,
  ])
  const made = await ask('POST', '/api/segments', {
    name: 'Todos',
    shared: true,
    definition: { field: 'visits', min: 0 },
  })
  segment = made.body.data.id as string
})

const ask = async (method: string, path: string, body?: object) =>
  answer(await ana.request(method, path, { body }))
const fine = {
  step: 1,
  channel: 'email',
  subject: 'Menú de otoño',
  body: 'Hola {{ first_name }}, te esperamos.',
}
const campaign = async (...messages: object[]) => {
  const made = await ask('POST', '/api/campaigns', {
    ...{ name: 'Otoño', segment_id: segment, messages },
    ...(messages.some((one) => 'variant' in one)
      ? { ab: { test_share: 20, winner_by: 'visits', test_hours: 24 } }
      : {}),
  })
  expect(made.status).toBe(201)
  return made.body.data.id as string
}
const check = async (id: string) => (await ask('GET', `/api/campaigns/${id}/check`)).body.data
const launch = (id: string, count: number) =>
  ask('POST', `/api/campaigns/${id}/launch`, { guests: count, version: 1 })

const design = (...blocks: object[]) => ({
  preheader: '',
  blocks: [{ id: 'a', type: 'heading', text: 'Otoño', align: 'left' }, ...blocks],
})
const imagePath = () => `${group.id}/00000000-0000-4000-8000-000000000001.png`

describe('what blocks a campaign', () => {
  const cases: [string, object, object[]][] = [
    [
      'a variable that does not exist',
      { ...fine, subject: '{{ asunto }}', body: 'Hola {{ nombre }}, tienes {{ puntos }} puntos.' },
      [
        { code: 'unknown_variable', field: 'messages.0.subject' },
        { code: 'unknown_variable', field: 'messages.0.body' },
        { code: 'empty_for_some', field: 'messages.0.subject', count: 2 },
      ],
    ],
    [
      'a property that does not exist',
      { ...fine, body: '{{ first_name.nick }} ven' },
      [{ code: 'unknown_variable', field: 'messages.0.body' }],
    ],
    [
      'a subject that is empty for a guest without a name',
      { ...fine, subject: '{{ last_name }}' },
      [{ code: 'empty_for_some', field: 'messages.0.subject', count: 1 }],
    ],
    [
      'a text that is empty for a guest',
      { ...fine, body: '{% if last_name != "" %}Ven{% endif %}' },
      [{ code: 'empty_for_some', field: 'messages.0.body', count: 1 }],
    ],
    [
      'blocks that are not finished',
      {
        ...{ step: 1, channel: 'email', subject: 'Otoño', body: '' },
        email_design: design(
          { id: 'b', type: 'button', label: 'Reservar', href: '', align: 'left' },
          { id: 'c', type: 'image', path: null, alt: '', href: null, width: 600 },
          {
            id: 'd',
            type: 'columns',
            left: [],
            right: [{ id: 'e', type: 'text', runs: [{ text: 'Escribe aquí.' }] }],
          },
        ),
      },
      [
        { code: 'unfinished_block', field: 'messages.0.email_design.blocks.1' },
        { code: 'unfinished_block', field: 'messages.0.email_design.blocks.2' },
        { code: 'unfinished_block', field: 'messages.0.email_design.blocks.3.right.0' },
      ],
    ],
  ]
  it.each(cases)('%s', async (_, message, blocking) => {
    await guest({ first_name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com' })
    await guest({ first_name: 'Leo', last_name: null, email: 'leo@example.com' })
    const id = await campaign(message)
    expect((await check(id)).blocking).toEqual(blocking)
    const refused = await launch(id, 2)
    expect(refused).toMatchObject({ status: 409, body: { code: 'CHECK_FAILED', blocking } })
    expect(refused.body.warnings).toEqual(expect.any(Array))
    expect((await ask('GET', `/api/campaigns/${id}`)).body.data.status).toBe('draft')
  })

  it('an e-mail of a group without a postal address; its own or its brand’s opens it', async () => {
    await guest({ first_name: 'Ana', email: 'ana@example.com' })
    await sql('update public.organizations set postal_address = null')
    const id = await campaign(fine)
    expect((await check(id)).blocking).toEqual([{ code: 'no_postal_address' }])
    expect((await launch(id, 1)).body.code).toBe('CHECK_FAILED')
    const boss = await signedIn(await group.person('super_admin'))
    const set = (body: object) => boss.request('PATCH', '/api/organization', { body })
    expect((await set({ postal_address: 'Calle Mayor 1, 28013 Madrid' })).status).toBe(200)
    expect((await check(id)).blocking).toEqual([])
    expect((await set({ postal_address: null })).status).toBe(400)
    expect((await set({ postal_address: '  ' })).status).toBe(400)
    expect((await launch(id, 1)).status).toBe(200)
  })

  it('a start that has passed', async () => {
    await guest({ email: 'ana@example.com' })
    const id = await campaign(fine)
    await sql(`update public.campaigns set starts_local = '2020-01-01T12:00'`)
    const blocking = [{ code: 'past', field: 'starts_local' }]
    expect((await check(id)).blocking).toEqual(blocking)
    expect(await launch(id, 1)).toMatchObject({ status: 409, body: { code: 'CHECK_FAILED', blocking } })
  })

  it('nothing in one that is finished, which is launched and leaves', async () => {
    await guest({ first_name: 'Ana', email: 'ana@example.com' })
    const id = await campaign(fine)
    expect(await check(id)).toEqual({ blocking: [], warnings: [] })
    expect((await launch(id, 1)).status).toBe(200)
  })

  it('names the version and the follow-up', async () => {
    await guest({ email: 'ana@example.com' })
    const id = await campaign(
      fine,
      { ...fine, variant: 'b', subject: '{{ x }}' },
      { ...fine, step: 2, after_days: 3, body: '{{ y }}!' },
    )
    const { blocking } = await check(id)
    expect(blocking).toContainEqual({ code: 'unknown_variable', field: 'messages.1.subject' })
    expect(blocking).toContainEqual({ code: 'unknown_variable', field: 'messages.2.body' })
  })

  it('is told to those who see it, and to nobody else', async () => {
    const id = await campaign(fine)
    const waiter = await signedIn(await group.person('sala'))
    expect((await waiter.request('GET', `/api/campaigns/${id}/check`)).status).toBe(403)
    expect((await ask('GET', `/api/campaigns/${crypto.randomUUID()}/check`)).status).toBe(404)
  })
})

describe('what a campaign is warned of', () => {
  it('names that are missing, in whatever words, unless the text has words for it', async () => {
    await guests(3)
    await sql(`update public.customers set first_name = case phone when '+34610000001' then null
      when '+34610000002' then 'www.oferta.example' else first_name end`)
    const missing = { code: 'missing_name', count: 2 }
    expect((await check(await campaign(fine))).warnings).toEqual([missing])
    for (const name of [
      '{{ first_name | default: "amigo" }}',
      '{% if first_name != "" %}{{ first_name }}{% else %}tú{% endif %}',
    ])
      expect((await check(await campaign({ ...fine, body: `Hola ${name}, ven.` }))).warnings).toEqual([])
  })

  it('pictures without words, and an e-mail that Gmail cuts off', async () => {
    await guest({ email: 'ana@example.com' })
    await sql(
      `insert into public.email_images (organization_id, path, name, content_type, bytes, width, height)
       values ($1, $2, 'a.png', 'image/png', 10, 1, 1) on conflict do nothing`,
      [group.id, imagePath()],
    )
    const image = imagePath()
    const picture = { id: 'b', type: 'image', path: image, alt: ' ', href: null, width: 600 }
    const long = Array.from({ length: 9 }, (_, at) => ({
      ...{ id: `t${at}`, type: 'text', align: 'left' },
      runs: [{ text: '&'.repeat(3900) }],
    }))
    const email_design = design(picture, ...long)
    const { warnings } = await check(await campaign({ ...fine, body: '', email_design }))
    expect(warnings).toEqual([{ code: 'no_alt', count: 1 }, { code: 'clipped' }])
  })

  it('what the cap leaves out, and who waits for the end of the quiet hours', async () => {
    await guests(2)
    await sql(
      `update public.organizations set frequency_cap_days = 7, quiet_from = '00:00', quiet_until = '23:59'`,
    )
    await sql(
      `insert into public.messages (organization_id, customer_id, channel, recipient, kind, status, not_before, sent_at, dedupe_key, purpose)
       select organization_id, id, 'email', email, 'marketing', 'sent', now(), now(), 'before', 'vip_reward' from public.customers limit 1`,
    )
    const { warnings } = await check(await campaign(fine))
    expect(warnings).toContainEqual({ code: 'frequency_cap', count: 1 })
    expect(warnings).toContainEqual({ code: 'quiet_hours', until: expect.stringMatching(/^2\d{3}-/) })
  })

  it('the cost of every step, in its longest version, with the way out', async () => {
    await guests(3)
    const sms = { step: 1, channel: 'sms', body: 'Ven a comer.' }
    const id = await campaign(
      sms,
      { ...sms, variant: 'b', body: 'a'.repeat(150) },
      { ...sms, step: 2, after_days: 3 },
    )
    // 150 letters and a line with the way out are two segments; a follow-up is one.
    expect((await check(id)).warnings).toEqual([{ code: 'cost', parts: 9 }])
    await sql('update public.organizations set sms_price = 0.07')
    expect((await check(id)).warnings).toEqual([{ code: 'cost', parts: 9, amount: 0.63 }])
  })
})

describe('an automation', () => {
  const birthday = { name: 'Cumpleaños', type: 'birthday', channel: 'email', criteria: { days_before: 7 } }
  const bad = { subject: '{{ asunto }}', body: 'Hola' }

  it('is saved with what is wrong, and not activated', async () => {
    const made = await ask('POST', '/api/automations', { ...birthday, ...bad })
    expect(made.status).toBe(201)
    const path = `/api/automations/${made.body.data.id}`
    const blocking = [{ code: 'unknown_variable', field: 'subject' }]
    expect((await ask('GET', `${path}/check`)).body.data.blocking).toEqual(blocking)
    expect(await ask('PATCH', path, { status: 'active' })).toMatchObject({
      status: 409,
      body: { code: 'CHECK_FAILED', blocking },
    })
    expect(
      await ask('POST', '/api/automations', { ...birthday, ...bad, name: 'Otra', status: 'active' }),
    ).toMatchObject({
      status: 409,
      body: { code: 'CHECK_FAILED', blocking },
    })
    expect((await ask('PATCH', path, { status: 'active', subject: 'Felicidades' })).status).toBe(200)
    expect((await ask('PATCH', path, { subject: '{{ asunto }}' })).body.code).toBe('CHECK_FAILED')
  })

  it('that is active keeps working when only its name or limits change', async () => {
    const id = await automate({ type: 'birthday', criteria: { days_before: 7 }, subject: '{{ asunto }}' })
    expect((await ask('PATCH', `/api/automations/${id}`, { name: 'Otro nombre' })).status).toBe(200)
  })

  it('about a booking needs no postal address', async () => {
    await sql('update public.organizations set postal_address = null')
    const confirmation = {
      ...birthday,
      type: 'reservation_confirmation',
      criteria: {},
      subject: 'Su reserva',
      body: 'Hola',
    }
    expect((await ask('POST', '/api/automations', { ...confirmation, status: 'active' })).status).toBe(201)
  })
})

describe('on the wire', () => {
  const mail = () => resend.accepted[0]?.email as { html: string; text: string; subject: string }

  it('every marketing e-mail ends with who sends it, their address and the way out', async () => {
    await guest({ first_name: 'Ana', email: 'ana@example.com' })
    for (const email_design of [undefined, design()]) {
      resend.accepted.length = 0
      await sql(emptyTables('messages', 'automation_runs', 'automations'))
      await automate({ type: 'vip_reward', criteria: { min_spend: 100 }, body: 'Ven.', email_design })
      await runAt()
      expect(mail().text).toMatch(
        new RegExp(`Grupo Entrega\\n${POSTAL_ADDRESS}\\s+--\\nDarse de baja · Unsubscribe: ${SITE}/u/`),
      )
      expect(mail().html).toMatch(new RegExp(`Grupo Entrega<br/?>${POSTAL_ADDRESS}[\\s\\S]*${SITE}/u/`))
    }
  })

  it('in the brand’s look, and with its own address', async () => {
    await sql(`update public.brands set postal_address = 'Paseo del Mar 2, 35001 Las Palmas'`)
    await sql('update public.locations set brand_id = (select id from public.brands limit 1)')
    await sql(
      `insert into public.email_looks (organization_id, brand_id, color) values ($1, null, '#004d40')`,
      [group.id],
    )
    await guest({ first_name: 'Ana', email: 'ana@example.com', location_id: group.locations[0]?.id })
    await automate({
      ...{ type: 'vip_reward', criteria: { min_spend: 100 }, body: 'Ven.' },
      location_ids: group.locations.map(({ id }) => id),
    })
    await runAt()
    expect(mail().html).toContain('Paseo del Mar 2')
    expect(mail().html).not.toContain(POSTAL_ADDRESS)
    expect(mail().html).toContain('#004d40')
    expect(mail().html).toContain('prefers-color-scheme:dark')
    await sql('delete from public.email_looks')
    await sql('update public.brands set postal_address = null')
  })

  it('a guest without a name gets no gap', async () => {
    await guest({ first_name: null, email: 'ana@example.com' })
    await automate({
      ...{ type: 'vip_reward', criteria: { min_spend: 100 } },
      subject: '{{ first_name }}, reserva tu cena',
      body: 'Hola {{ first_name }}, tienes mesa.',
    })
    await runAt()
    expect(mail().subject).toBe('Reserva tu cena')
    expect(mail().text).toMatch(/^Hola, tienes mesa\./)
  })

  it('nothing leaves that is empty or uses a variable that does not exist', async () => {
    await guest({ first_name: 'Ana', email: 'ana@example.com', phone: '+34600000001' })
    const vip = { type: 'vip_reward' as const, criteria: { min_spend: 100 } }
    await automate({ ...vip, subject: '{{ asunto }}Hola' })
    await automate({ ...vip, subject: '{{ last_name }}' })
    await automate({ ...vip, body: '{% if last_name != "" %}Ven{% endif %}' })
    await bySms({ body: '{{ last_name }}' })
    await runAt()
    expect(resend.accepted).toEqual([])
    expect(twilio.accepted).toEqual([])
    expect(await tally()).toEqual(['failed template_unknown_variable 1', 'skipped empty_message 3'])
  })

  const text = () => String(twilio.accepted[0]?.form.Body)
  it.each([
    ['+34900000001', /^Ven\.\nBAJA al \+34900000001$/],
    [`MG${'0'.repeat(32)}`, /^Ven\.\nResponde BAJA para no recibir más$/],
    ['CasaLumbre', /^Ven\.\nBaja: https:\/\/crm\.example\/b\/[\w-]{21}$/],
  ])('an SMS from %s says how to opt out', async (sms_from, expected) => {
    await connect(app.stack, group.id, 'twilio', { ...TWILIO, sms_from })
    await guest({ first_name: 'Ana', phone: '+34600000001' })
    await bySms({ body: 'Ven.' })
    await runAt()
    expect(text()).toMatch(expected)
  })

  it('the short link leads to the guest’s own page', async () => {
    await connect(app.stack, group.id, 'twilio', { ...TWILIO, sms_from: 'CasaLumbre' })
    await guest({ first_name: 'Ana', phone: '+34600000001' })
    await bySms({ body: 'Ven.' })
    await runAt()
    const code = text().split('/b/')[1] ?? ''
    const { proxy } = await import('@/proxy')
    const shown = await proxy(new NextRequest(`${SITE}/b/${code}`))
    const page = String(await pageOfMessage(code))
    expect([shown.status, shown.headers.get('location')]).toEqual([303, page])
    const [, token = ''] = new RegExp(`^/u/([\\w-]+)\\?m=${code}$`).exec(page) ?? []
    expect((await readSubscription(token))?.state).toBe('subscribed')
    expect((await app.client().request('POST', `/api${page}`)).status).toBe(200)
    expect(await sql('select unsubscribed_at is not null as left from public.messages')).toEqual([
      { left: true },
    ])
    expect(await sql('select channel, address, reason from public.suppressions')).toContainEqual({
      ...{ channel: 'sms', address: '+34600000001', reason: 'unsubscribe' },
    })
    for (const other of ['x', 'A'.repeat(21), '../../etc']) expect(await pageOfMessage(other)).toBeNull()
  })

  it('an SMS that says it already does not say it twice', async () => {
    await guest({ first_name: 'Ana', phone: '+34600000001' })
    await bySms({ body: 'Ven. Responde BAJA si no quieres más.' })
    await runAt()
    expect(text()).toBe('Ven. Responde BAJA si no quieres más.')
  })

  it.each([
    ['+34900000001', 'Precios a la BAJA.', /^Precios a la BAJA\.\nBAJA al \+34900000001$/],
    ['CasaLumbre', 'Responde BAJA.', /^Responde BAJA\.\nBaja: https:/],
  ])('an SMS from %s whose way out is none gets one: %s', async (sms_from, body, expected) => {
    await connect(app.stack, group.id, 'twilio', { ...TWILIO, sms_from })
    await guest({ first_name: 'Ana', phone: '+34600000001' })
    await bySms({ body })
    await runAt()
    expect(text()).toMatch(expected)
  })
})
