import { beforeEach, expect, it } from 'vitest'
import { RESEND } from '../factories/integrations'
import { signed } from '../fakes/resend/server'
import {
  automate,
  bySms,
  deliver,
  group,
  guest,
  NOON,
  phones,
  runAt,
  SITE,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'

withDelivery()
beforeEach(() => sql(emptyTables('customers')))

const GUEST = '+34600001000'
const US = '+34900000001'
const sidOf = (digit: string) => `SM${digit.repeat(32)}`
const url = `${SITE}/api/webhooks/twilio`
/** The same text and SID are the same signed request. */
const write = (body: string, sid: string) => twilio.inbound({ from: GUEST, to: US, body, url, sid })
const writeWhatsApp = (body: string, sid: string) =>
  twilio.inbound({ from: `whatsapp:${GUEST}`, to: `whatsapp:${US}`, body, url, sid })
const state = () =>
  sql(`select 's' as t, to_jsonb(s)::text as row from public.suppressions s
       union all select 'w', to_jsonb(w)::text from public.whatsapp_windows w
       union all select 'c', to_jsonb(c)::text from public.customers c
       union all select 'm', to_jsonb(m)::text from public.messages m order by 1, 2`)
/** A year later, once the nightly tidying has been. */
async function aYearLater() {
  await sql(`update public.webhook_receipts set received_at = received_at - interval '1 year'`)
  await sql(`update public.whatsapp_windows set last_inbound_at = last_inbound_at - interval '1 year'`)
  await sql('select public.tidy_up($1, now(), 1000)', [group.id])
}

it('a replayed ALTA lets nothing go again, however much later', async () => {
  await guest({ phone: GUEST })
  await write('ALTA', sidOf('1'))
  await write('STOP', sidOf('2'))
  await aYearLater()
  const before = await state()
  for (let times = 0; times < 3; times++) expect((await write('ALTA', sidOf('1'))).status).toBe(200)
  expect(await state()).toEqual(before)
  await bySms()
  await runAt(NOON)
  expect(phones()).toEqual([])
})

it('a replayed message opens no WhatsApp window, however much later', async () => {
  await guest({ phone: GUEST })
  await writeWhatsApp('Hola', sidOf('3'))
  await aYearLater()
  const before = await state()
  expect((await writeWhatsApp('Hola', sidOf('3'))).status).toBe(200)
  expect(await state()).toEqual(before)
  // Another message with the same words does.
  await writeWhatsApp('Hola', sidOf('4'))
  expect(await state()).not.toEqual(before)
})

it('a replayed delivery report neither moves a status back nor gives a number its former id', async () => {
  await guest({ phone: GUEST })
  await automate({
    ...{ type: 'vip_reward', criteria: { min_spend: 100 }, channel: 'whatsapp' },
    ...{ content_sid: `HX${'0'.repeat(32)}`, content_variables: {} },
  })
  await runAt(NOON)
  const sid = twilio.accepted[0]?.sid ?? ''
  const report = (status: string, externalUserId: string) => twilio.report(sid, { status, externalUserId })
  const first = () => report('sent', 'ES.1000000000000001')
  await first()
  await report('delivered', 'ES.2000000000000002')
  await aYearLater()
  const before = await state()
  expect(JSON.stringify(before)).toContain('ES.2000000000000002')
  expect((await first()).status).toBe(200)
  expect((await report('delivered', 'ES.2000000000000002')).status).toBe(200)
  expect(await state()).toEqual(before)
})

it('a replayed event of Resend does not suppress an address that staff have let in again', async () => {
  await guest({ email: 'ana@example.com' })
  const event = { type: 'email.complained', data: { email_id: crypto.randomUUID(), to: ['ana@example.com'] } }
  const body = JSON.stringify(event)
  const headers = signed(body, RESEND.webhook_secret, new Date())
  const post = () => deliver(`${SITE}/api/webhooks/resend`, headers, body)
  expect((await post()).status).toBe(200)
  expect(await sql('select reason from public.suppressions')).toEqual([{ reason: 'complaint' }])
  await sql(emptyTables('suppressions'))
  expect((await post()).status).toBe(200)
  expect(await sql('select reason from public.suppressions')).toEqual([])
})

it('a request whose work failed is taken when its provider tries again', async () => {
  await guest({ email: 'ana@example.com' })
  const body = JSON.stringify({
    type: 'email.complained',
    data: { email_id: crypto.randomUUID(), to: ['ana@example.com'] },
  })
  const headers = signed(body, RESEND.webhook_secret, new Date())
  const post = () => deliver(`${SITE}/api/webhooks/resend`, headers, body)
  await sql('alter table public.suppressions rename to suppressions_away')
  try {
    expect((await post()).status).toBe(500)
  } finally {
    await sql('alter table public.suppressions_away rename to suppressions')
  }
  expect((await post()).status).toBe(200)
  expect(await sql('select reason from public.suppressions')).toEqual([{ reason: 'complaint' }])
})
