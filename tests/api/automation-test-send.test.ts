import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, POSTAL_ADDRESS } from '../factories/group'
import type { Client } from '../support/app'
import { automate, bySms, group, guest, resend, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

withDelivery()

const PHONE = '+34612345678'
let person: Person
let boss: Client

beforeAll(async () => {
  person = await group.person('marketing')
  boss = await signedIn(person)
})
beforeEach(async () => {
  await sql(emptyTables('customers'))
  await guest({ first_name: 'Ana', email: 'ana@example.com' })
})

const test = async (id: string, body: unknown = {}, client = boss) =>
  answer(await client.request('POST', `/api/automations/${id}/test`, { body }))
const byEmail = (more = {}) =>
  automate({
    type: 'vip_reward',
    criteria: { min_spend: 100 },
    subject: 'Hola {{ first_name }}',
    body: 'Ven.',
    ...more,
  })

describe('POST /api/automations/{id}/test', () => {
  it('sends the e-mail to who asks, as a customer would get it, and nothing is kept of it', async () => {
    const id = await byEmail({ status: 'inactive' })
    expect(await test(id)).toEqual({
      status: 200,
      body: { data: { channel: 'email', recipient: person.email, status: 'sent', reason: null } },
    })
    expect(resend.accepted).toMatchObject([
      {
        email: {
          ...{ to: person.email, subject: '[Prueba] Hola Ana' },
          text: expect.stringMatching(
            new RegExp(
              `^Ven\\.\\n\\nGrupo Entrega\\n${POSTAL_ADDRESS}\\s+--\\nDarse de baja .*: https://crm.example/u/`,
            ),
          ),
        },
      },
    ])
    expect(await sql('select 1 from public.messages union all select 1 from public.automation_runs')).toEqual(
      [],
    )
    expect((await test(id, { channel: 'email', recipient: ` ${person.email.toUpperCase()} ` })).status).toBe(
      200,
    )
  })

  it('sends an SMS, or WhatsApp with a template, to the phone given', async () => {
    const id = await bySms({ body: 'Hola {{ first_name }}' })
    expect((await test(id, { recipient: '612 34 56 78' })).body.data).toMatchObject({
      recipient: PHONE,
      status: 'sent',
    })
    expect(twilio.accepted[0]?.form).toMatchObject({
      To: PHONE,
      Body: '[Prueba] Hola Ana\nBAJA al +34900000001',
    })
    const template = await bySms({
      channel: 'whatsapp',
      content_sid: `HX${'0'.repeat(32)}`,
      content_variables: { '1': '{{ first_name }}' },
    })
    expect((await test(template, { recipient: PHONE })).body.data).toMatchObject({
      channel: 'whatsapp',
      status: 'sent',
    })
    expect(twilio.accepted[1]?.form).toMatchObject({
      To: `whatsapp:${PHONE}`,
      ContentVariables: '{"1":"Ana"}',
    })
  })

  it('works while there is no customer to show', async () => {
    await sql(emptyTables('customers'))
    expect((await test(await byEmail())).body.data).toMatchObject({ status: 'sent' })
  })

  it('says what was not sent, and why', async () => {
    const free = await bySms({ channel: 'whatsapp' })
    const to = { recipient: PHONE }
    expect((await test(free, to)).body.data).toMatchObject({ status: 'skipped', reason: 'needs_template' })
    await sql('insert into public.whatsapp_windows values ($1, $2, now())', [group.id, PHONE])
    expect((await test(free, to)).body.data).toMatchObject({ status: 'sent' })
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'sms', $2, 'stop')`,
      [group.id, PHONE],
    )
    const id = await bySms()
    expect((await test(id, to)).body.data).toMatchObject({ status: 'skipped', reason: 'suppressed' })
    await sql(emptyTables('suppressions'))
    twilio.setFault({ kind: 'reject', status: 400, code: 21211 })
    expect((await test(id, to)).body.data).toMatchObject({ status: 'failed', reason: 'invalid_number' })
    twilio.setFault({ kind: 'error_after' })
    expect((await test(id, to)).body.data).toMatchObject({ status: 'unknown', reason: 'provider_error' })
  })

  it.each([
    ['an e-mail to somebody else', { channel: 'email', recipient: 'ana@example.com' }],
    ['an SMS to nobody', { channel: 'sms' }],
    ['an SMS to no number', { channel: 'sms', recipient: '123' }],
    ['a NUL', { channel: 'sms', recipient: '\0' }],
    ['another channel', { channel: 'fax' }],
    ['unknown fields', { to: PHONE }],
    ['no object', []],
  ])('refuses %s', async (_, body) => {
    const id = await byEmail()
    expect((await test(id, body)).status).toBe(400)
    expect([resend.requests.length, twilio.requests.length]).toEqual([0, 0])
  })

  it('refuses a template that cannot be rendered', async () => {
    const { status, body } = await test(await byEmail({ body: '{% for i in (1..100000000) %}x{% endfor %}' }))
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^template: /)])
  })

  it('is limited to ten a minute', async () => {
    const id = await byEmail()
    for (let n = 0; n < 10; n++) expect((await test(id)).status).toBe(200)
    expect(await test(id)).toEqual(refusal('RATE_LIMITED'))
    expect(resend.accepted).toHaveLength(10)
  })
})
