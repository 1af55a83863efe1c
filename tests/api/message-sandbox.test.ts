import { beforeAll, expect, it } from 'vitest'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, automate, bySms, group, guest, resend, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

withDelivery({ MESSAGE_SANDBOX: '1' })

let boss: Client
beforeAll(async () => {
  boss = await signedIn(await group.person('marketing'))
})
const get = async (path: string) => (await answer(await boss.request('GET', path))).body.data

it('MESSAGE_SANDBOX=1: what has no provider is simulated, and says so wherever it shows', async () => {
  await sql(emptyTables('customers'))
  await noQuietHours(app.stack)
  await connect(app.stack, group.id, 'twilio', TWILIO, false)
  await connect(app.stack, group.id, 'resend', RESEND)
  const ana = await guest({ first_name: 'Ana', email: 'ana@example.com', phone: '+34600000001' })
  const bySandbox = await bySms()
  const byResend = await automate({ type: 'vip_reward', criteria: { min_spend: 100 } })
  for (const id of [bySandbox, byResend])
    expect((await answer(await boss.request('POST', `/api/automations/${id}/run`))).body).toMatchObject({
      sent: 1,
    })
  expect([twilio.requests.length, resend.accepted.length]).toEqual([0, 1])
  expect(await get(`/api/messages?customer_id=${ana}`)).toMatchObject([
    { automation_id: byResend, status: 'sent', simulated: false },
    { automation_id: bySandbox, status: 'sent', simulated: true },
  ])
  expect(await get(`/api/automations/${bySandbox}/runs`)).toMatchObject([{ sent: 1, simulated: 1 }])
  expect(await get(`/api/automations/${byResend}/runs`)).toMatchObject([{ sent: 1, simulated: 0 }])
  expect((await get(`/api/automations/${bySandbox}/results`)).messages).toMatchObject({
    sent: 1,
    simulated: 1,
  })
  expect((await get(`/api/automations/${byResend}/results`)).messages).toMatchObject({
    sent: 1,
    simulated: 0,
  })
  const test = { channel: 'sms', recipient: '+34600000009' }
  const sent = await answer(await boss.request('POST', `/api/automations/${bySandbox}/test`, { body: test }))
  expect(sent.body.data).toMatchObject({ status: 'sent', simulated: true })
})
